import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { routes } from '../../src/protocol/http/routes.ts'
import { viewOf } from '../../src/view/fold/entries.ts'
import { entryText } from '../../src/cli/text/entry-text.ts'
import { makeGate } from '../faults/support/gate.ts'
import type { TestSession } from '../support/session.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()
let session: TestSession
let folder: string
let count = 0

beforeEach(async () => {
  world.model.hush()
  folder = join(world.server.workspace, `place-${++count}`)
  mkdirSync(folder)
  session = await world.server.session({ workspace: folder })
})

/** Lets the model ask for a command that tells, in a file, where it ran. */
async function askWhere(): Promise<string> {
  const told = join(world.server.workspace, `told-${count}`)
  world.model.say(`<shell>pwd > ${told}</shell>`, 'Ok.')
  await session.send('where are we?')
  await session.until('elicitation_request')
  return told
}

const whereItRan = (told: string) => readFileSync(told, 'utf8').trim()

test('[APP60] a yes that comes while a person’s command moves the shell is void at once: it is judged where that command left it', async () => {
  const told = await askWhere()
  const gate = makeGate(world.server.workspace, `gate-${count}`)
  await session.send(`!cd / ; ${gate.wait}`)
  await session.until('run_start')
  await session.answer('allow')
  expect(await session.until('elicitation_response')).toMatchObject({
    outcome: 'void',
    moved: true,
  })
  await gate.open()
  expect(await session.until('elicitation_request', 2)).toMatchObject({ cwd: '/' })
  expect(existsSync(told)).toBe(false)
  await session.answer('allow')
  await session.until('agent_end')
  expect(whereItRan(told)).toBe('/')
  const start = await session.until('run_start', 2)
  const asked = await session.until('elicitation_request', 2)
  expect(start).toMatchObject({ source: 'model', cwd: '/', stamp: asked.generation })
})

test('[APP60] a yes after the shell has ended is void: the command is judged in the new shell, where that starts', async () => {
  const inner = join(folder, 'inner')
  mkdirSync(inner)
  await session.run(`cd ${inner}`)
  const told = await askWhere()
  rmSync(inner, { recursive: true })
  await session.send('!exit')
  await session.until('shell_exit')
  await session.answer('allow')
  expect(await session.until('elicitation_response')).toMatchObject({
    outcome: 'void',
    moved: true,
  })
  expect(await session.until('elicitation_request', 2)).toMatchObject({ cwd: folder })
  expect(existsSync(told)).toBe(false)
  await session.answer('allow')
  await session.until('agent_end')
  expect(whereItRan(told)).toBe(folder)
})

test('[APP60] a yes for the outer shell never runs in one that is adopted since: there it is asked anew', async () => {
  const told = await askWhere()
  const { first } = await session.send('!bash --norc')
  await session.untilDelta(
    (delta) => delta.type === 'tool_update' && delta.request === first && delta.status === 'screen',
  )
  await session.answer('allow')
  await world.server.client.call(routes.adopt, { params: { id: session.id }, body: {} })
  await session.until('shell_adopt')
  const again = await session.until('elicitation_request', 2)
  expect(again.reasons).toEqual(['it runs in an adopted shell: bash --norc'])
  expect(session.all('elicitation_response')[0]).toMatchObject({ outcome: 'void', moved: true })
  expect(existsSync(told)).toBe(false)
  await session.answer('deny')
  await session.until('agent_end')
  expect(existsSync(told)).toBe(false)
})

test('[APP5] what a person made of the command is not lost with a void yes: it is what is asked about anew', async () => {
  const told = await askWhere()
  const gate = makeGate(world.server.workspace, `gate-${count}`)
  await session.send(`!${gate.wait}`)
  await session.until('run_start')
  const command = `pwd -P > ${told}`
  await session.answer('allow', { command })
  await gate.open()
  expect(await session.until('elicitation_request', 2)).toMatchObject({ command })
  await session.answer('allow')
  await session.until('agent_end')
  expect(await session.until('run_start', 2)).toMatchObject({ command })
  expect(whereItRan(told)).toBe(folder)
})

test('[LOG61] that a shell did not start where it should is told to people, and told alike live and from the store', async () => {
  const inner = join(folder, 'inner')
  mkdirSync(inner)
  await session.run(`cd ${inner}`)
  rmSync(inner, { recursive: true })
  await session.send('!exit')
  await session.until('shell_exit')
  await session.run('true')
  const notice = `The folder ${inner} is not there (any more); the shell starts in ${folder}.`
  expect(session.all('shell_start')[1]).toMatchObject({ cwd: folder, notice })
  const stored = world.server.reopen(session)
  await stored.untilEvents(session.events.length)
  expect(stored.events).toEqual(session.events)
  stored.close()
  const shown = viewOf(session.events).entries.chunks.flat().map(entryText)
  expect(shown).toContainEqual(expect.stringContaining(notice))
})
