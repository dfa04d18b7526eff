import { expect, test } from 'vitest'
import { useWorld } from '../support/world.ts'

const world = useWorld()

test('[TERM231] 1 MiB of random bytes is one line of the record, in the terminal and beside it', async () => {
  const session = await world.server.session()
  const { content } = await session.run('head -c 1048576 /dev/urandom')
  expect(content).toContain('binary output, 1,048,576 bytes')
  expect(content.length).toBeLessThan(400)
  const beside = await session.send('/shell head -c 1048576 /dev/urandom')
  expect((await session.answerTo(beside.first)).content).toContain('binary output, 1,048,576 bytes')
  const mixed = await session.run(`echo 'compiling the program'; head -c 100000 /dev/urandom`)
  expect(mixed.content).toMatch(/compiling the program\nbinary output, 100,\d{3} bytes/)
  expect((await session.run(`printf 'na\\xefve, but text\\n'`)).content).toContain('ve, but text')
})
