import { mkdir, rename, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { expectExtends } from '../support/prefix.ts'
import { png } from '../support/pictures.ts'
import { partByPart } from '../support/server.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld({ env: { TANDEM_MODEL: 'openai-compatible/gpt-4o' }, config: partByPart })
const at = (path: string) => join(world.server.workspace, path)

beforeEach(() => world.model.hush())

/** The request that the next prompt leads to. */
const nextRequest = () => world.model.request(world.model.requests.length + 1)

test('[TYPE7] a prompt is stored at once, its files are read, and then its turn starts with all of it', async () => {
  await mkdir(at('src'), { recursive: true })
  await writeFile(at('src/a.ts'), 'one\ntwo\nthree\n')
  await writeFile(at('notes'), 'a note')
  world.model.say('Read.')
  const asked = nextRequest()
  const session = await world.server.session()
  await session.send('compare @src/a.ts:2-3 with @notes, not joe@notes, in @src/')
  await session.until('agent_end')
  const kinds = session.events.flatMap((event) => {
    if (event.type === 'message') return [`message ${event.role}`]
    if (event.type === 'tool_request') return [`request ${event.read?.path}`]
    return ['tool_response', 'agent_start', 'step_start'].includes(event.type) ? [event.type] : []
  })
  expect(kinds.slice(0, 3)).toEqual(['message user', 'request src/a.ts', 'request notes'])
  expect(kinds.slice(3, 4)).toEqual(['request src/'])
  expect(kinds.indexOf('step_start')).toBeGreaterThan(kinds.lastIndexOf('tool_response'))
  for (const event of [...session.all('tool_request'), ...session.all('tool_response')])
    expect(event.meta.isClientInitiated).toBe(true)
  const texts = (await asked).messages.map(({ content }) => content)
  expect(texts).toContain('compare @src/a.ts:2-3 with @notes, not joe@notes, in @src/')
  expect(texts).toContain('@src/a.ts (lines 2–3 of 3)\ntwo\nthree\n')
  expect(texts).toContain('@notes (1 line)\na note')
  expect(texts).toContain('@src/ (a folder: 1 file)\na.ts')
})

test('[AT10] a file outside is read after a yes only, and what was swapped after the yes is not', async () => {
  const outside = join(world.server.workspace, '../outside')
  await mkdir(outside, { recursive: true })
  await writeFile(join(outside, 'plain'), 'PLAIN')
  await writeFile(join(outside, 'hidden'), 'HIDDEN')
  await symlink(join(outside, 'plain'), at('link'))
  const session = await world.server.session()
  world.model.say('No.', 'Yes.', 'Swapped.')

  const first = nextRequest()
  await session.send('read @link')
  expect((await session.until('elicitation_request')).reasons.join()).toContain(
    'a link leads there',
  )
  await session.answer('deny', { word: 'no' })
  expect((await first).body).not.toContain('PLAIN')
  await session.until('agent_end')

  const second = nextRequest()
  await session.send('read @link')
  await session.until('elicitation_request', 2)
  await session.answer('allow')
  expect((await second).body).toContain('(1 line)\\nPLAIN')
  await session.until('agent_end', 2)

  const third = nextRequest()
  await session.send('read @link again')
  await session.until('elicitation_request', 3)
  await rename(join(outside, 'plain'), join(outside, 'moved'))
  await symlink('hidden', join(outside, 'plain'))
  await session.answer('allow')
  expect((await third).body).toContain('not the file any more that was named')
  expect((await third).body).not.toContain('HIDDEN')
})

test('[IMG1] a picture is sent with its prompt, and byte for byte again after a restart', async () => {
  const bytes = png(20, 10)
  await writeFile(at('pic.png'), bytes)
  const session = await world.server.session()
  world.model.say('Grey.', 'Still grey.')
  const asked = nextRequest()
  await session.send('what is on @pic.png?')
  const one = await asked
  const [request] = session.all('tool_request')
  const response = await session.answerTo(request?.seq ?? 0)
  expect(response.images).toEqual([{ blob: expect.any(String), mediaType: 'image/png' }])
  expect(response.content).toBe(`@pic.png (a PNG image; ${bytes.length} bytes; 20 × 10)`)
  expect(one.body).toContain(`"url":"data:image/png;base64,${bytes.toString('base64')}"`)
  await session.until('agent_end')
  // What the file is by then does not matter: the session keeps its own.
  await writeFile(at('pic.png'), png(1, 1))
  await world.server.restart()
  const again = world.server.reopen(session)
  const next = nextRequest()
  await again.send('and now?')
  const two = await next
  await again.until('agent_end', 2)
  expectExtends(two, one)
  expect(again.all('step_end').map(({ witness }) => witness.ok)).toEqual([true, true])
})
