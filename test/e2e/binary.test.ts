import { expect, test } from 'vitest'
import { useWorld } from '../support/world.ts'

const world = useWorld()

/** Without ESC: among so many bytes one in sixteen times a question to the terminal comes, whose answer is echoed. */
const random = (bytes: number) => `tr -d '\\33' </dev/urandom | head -c ${bytes}`

test('[TERM231] 1 MiB of random bytes is one line of the record, in the terminal and beside it', async () => {
  const session = await world.server.session()
  const { content } = await session.run(random(1_048_576))
  expect(content).toContain('binary output, 1,048,576 bytes')
  expect(content.length).toBeLessThan(400)
  const beside = await session.send(`/shell ${random(1_048_576)}`)
  expect((await session.answerTo(beside.first)).content).toContain('binary output, 1,048,576 bytes')
  const mixed = await session.run(`echo 'compiling the program'; ${random(100_000)}`)
  expect(mixed.content).toMatch(/compiling the program\nbinary output, 100,\d{3} bytes/)
  expect((await session.run(`printf 'na\\xefve, but text\\n'`)).content).toContain('ve, but text')
})
