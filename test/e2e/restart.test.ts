import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { expectExtends } from '../support/prefix.ts'
import { type ScriptedModel, startScriptedModel } from '../support/scripted-model.ts'
import { startServer, type TestServer } from '../support/server.ts'

let model: ScriptedModel
let server: TestServer

beforeEach(async () => {
  model = await startScriptedModel()
  server = await startServer({ env: { TANDEM_BASE_URL: model.baseUrl } })
})

afterEach(async () => {
  await server.close()
  await model.close()
})

/** Shell code that goes on when the file is there. */
function waitFor(file: string): string {
  return `until [ -e ${file} ]; do read -rt 0.05 _ < /dev/tty; done`
}

test('[REC1] a server killed while a person’s command runs: the run goes on and ends with its real exit code', async () => {
  const session = await server.session()
  await session.run('export KEPT=yes')
  const go = join(server.workspace, 'go')
  await session.send(`!echo one; ${waitFor(go)}; echo "two $KEPT"; (exit 9)`)
  await session.untilDelta(
    (delta) => delta.type === 'tool_update' && !!delta.output?.text.includes('one'),
  )
  await server.restart()
  const again = server.reopen(session)
  await again.until('run_start', 2)
  const view = await again.view()
  expect(view.open.runs).toHaveLength(1)
  await writeFile(go, '')
  const response = await again.until('tool_response', 2)
  expect(response.content).toMatch(/\none\ntwo yes\n\[exit 9; run by the user\]$/)
  expect(await again.until('run_end', 2)).toMatchObject({ outcome: 'ended', exitCode: 9 })
  expect((await again.run('echo $KEPT')).content).toBe(
    '$ echo $KEPT\nyes\n[exit 0; run by the user]',
  )
  expect(again.events.slice(0, session.events.length)).toEqual(session.events)
})

test('[REC1] a server killed while the model’s command runs: its real result reaches the model, whose next request extends', async () => {
  const session = await server.session()
  const go = join(server.workspace, 'go')
  const command = `echo begun; ${waitFor(go)}; echo ended; (exit 3)`
  model.say(`<shell>${command}</shell>`, 'It gave 3.')
  await session.send('run it')
  await session.answer('allow')
  await session.untilDelta(
    (delta) => delta.type === 'tool_update' && !!delta.output?.text.includes('begun'),
  )
  await server.restart()
  await writeFile(go, '')
  const again = server.reopen(session)
  expect(await again.until('agent_end')).toMatchObject({ reason: 'done', steps: 2 })
  expect(await again.until('run_end')).toMatchObject({ outcome: 'ended', exitCode: 3 })
  const response = await again.until('tool_response')
  expect(response.content).toBe(`$ ${command}\nbegun\nended\n[exit 3]`)
  const [one, two] = [await model.request(1), await model.request(2)]
  expectExtends(two, one)
  expect(two.messages.at(-1)?.content).toBe(response.content)
  expect(again.all('step_end').map(({ witness }) => witness.ok)).toEqual([true, true])
})

test('[REC1] a server killed while the model writes: the reply is closed with the text that had come, and the next request extends', async () => {
  const session = await server.session()
  const never = new Promise<void>(() => undefined)
  model.say({ pieces: ['I will ', '<shell>touch never</shell>'], ending: never }, 'Here again.')
  await session.send('go')
  await session.untilDelta(
    (delta) => delta.type === 'message_delta' && delta.text.includes('never'),
  )
  await server.savedDraft(session.id, 'I will <shell>touch never</shell>')
  await server.restart()
  const again = server.reopen(session)
  expect(await again.until('agent_end')).toMatchObject({ reason: 'failed' })
  const reply = again.events.find((event) => event.type === 'message' && event.role === 'assistant')
  expect(reply).toMatchObject({
    stop: 'lost',
    parts: [{ type: 'text', text: 'I will <shell>touch never</shell>' }],
  })
  expect(again.all('tool_request')).toEqual([])
  await again.send('go on')
  await again.until('agent_end', 2)
  const [one, two] = [await model.request(1), await model.request(2)]
  expectExtends(two, one)
  expect(two.messages.slice(-2).map(({ content }) => content)).toEqual([
    'I will <shell>touch never</shell>',
    'go on',
  ])
})

test('[REC4] a question survives a restart as a question, and runs only after its yes', async () => {
  const session = await server.session()
  model.say('<shell>echo > asked</shell>', 'Made.')
  await session.send('go')
  const ask = await session.until('elicitation_request')
  await server.restart()
  const again = server.reopen(session)
  await again.until('elicitation_request')
  expect((await again.view()).open.asks).toEqual([ask])
  expect(again.all('run_start')).toEqual([])
  await again.answer('allow')
  expect(await again.until('agent_end')).toMatchObject({ reason: 'done' })
  expect(await again.until('run_end')).toMatchObject({ exitCode: 0 })
})

test('[REC4] a command that waited when the server died is asked about, not run by itself', async () => {
  const session = await server.session()
  await session.run('true')
  await session.send('!read -r line')
  await session.until('run_start', 2)
  await session.send('!touch waited')
  await server.restart()
  const again = server.reopen(session)
  const ask = await again.until('elicitation_request')
  expect(ask).toMatchObject({
    command: 'touch waited',
    reasons: ['the server was restarted before it could run'],
  })
  await again.interrupt()
  await again.answer('allow')
  await again.until('tool_response', 3)
  expect(again.all('run_start').map(({ command }) => command)).toEqual([
    'true',
    'read -r line',
    'touch waited',
  ])
})

test('[REC4] a shell that died with nobody there is reported lost, and the next command gets a new one', async () => {
  const session = await server.session()
  await mkdir(join(server.workspace, 'deep'))
  await session.run('cd deep; GONE=1')
  const { shell } = await session.view()
  await session.send('!sleep 1000')
  await session.until('run_start', 2)
  const holders = await server.holdersOf(shell!.pid)
  await server.kill()
  for (const pid of holders) process.kill(pid, 'SIGKILL')
  process.kill(shell!.pid, 'SIGKILL')
  await server.restart()
  const again = server.reopen(session)
  expect(await again.until('run_end', 2)).toMatchObject({ outcome: 'lost', exitCode: null })
  expect(await again.until('shell_exit')).toMatchObject({ reason: 'lost' })
  const said = await again.run('echo "[$GONE]"; pwd')
  expect(said.content).toBe(
    `$ echo "[$GONE]"; pwd\n[]\n${join(server.workspace, 'deep')}\n[exit 0; run by the user]`,
  )
  expect(again.all('shell_start').map(({ generation }) => generation)).toEqual([1, 2])
})
