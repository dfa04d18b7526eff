import { beforeEach, expect, test } from 'vitest'
import { expectExtends } from '../support/prefix.ts'
import type { TestSession } from '../support/session.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld({ config: { personSilenceSeconds: 1 } })
let session: TestSession
let asked: number

beforeEach(async () => {
  world.model.hush()
  session = await world.server.session()
  asked = world.model.requests.length
})

test('[WAIT1] a command that asks for input is answered as waiting, and the model answers it after a yes', async () => {
  const command = 'read -p "name? " name; echo "hi $name"'
  world.model.say(`<shell>${command}</shell>`, '<input>Ada</input>', 'It said hi.')
  await session.send('greet')
  await session.answer('allow')
  const waiting = await session.until('tool_response')
  expect(waiting.status).toBe('waiting')
  expect(waiting.content).toMatch(/^\$ read -p .*\nname\? ?\n\[it waits for input; .*\]$/)
  const ask = await session.until('elicitation_request', 2)
  expect(ask).toMatchObject({ kind: 'terminal_input', command: 'Ada' })
  await session.answer('allow')
  expect(await session.until('agent_end')).toMatchObject({ reason: 'done', steps: 3 })
  expect(await session.until('run_end')).toMatchObject({ outcome: 'ended', exitCode: 0 })
  const sent = await session.until('tool_response', 2)
  expect(sent).toMatchObject({ status: 'done' })
  expect(sent.content).toMatch(/^> Ada\n(Ada\n)?hi Ada\n\[the program has ended\]$/)
  const requests = [1, 2, 3].map((n) => world.model.requests[asked + n - 1]!)
  expectExtends(requests[1]!, requests[0]!)
  expectExtends(requests[2]!, requests[1]!)
})

test('[WAIT1] what the model would type while a secret is read is refused, and the person is told to', async () => {
  world.model.say(
    '<shell>read -s -p "Password: " p; echo; echo "got ${#p}"</shell>',
    '<input>guess</input>',
    'You have to type it.',
  )
  await session.send('log in')
  await session.answer('allow')
  const waiting = await session.until('tool_response')
  expect(waiting.content).toMatch(
    /Password: ?\n\[it waits for a secret, which only the user can type\]$/,
  )
  await session.untilDelta((delta) => delta.type === 'tool_update' && delta.status === 'secret')
  const refused = await session.until('tool_response', 2)
  // Nobody is asked for what could not be sent after a yes.
  expect(session.all('elicitation_request')).toHaveLength(1)
  expect(refused.content).toBe('> guess\n[not sent: it reads a secret, which only the user types]')
  await session.until('agent_end')
  await session.interrupt()
  await session.until('run_end')
})

test('[WAIT1] the model may stop its program without asking', async () => {
  world.model.say('<shell>cat</shell>', '<interrupt/>', 'Stopped.')
  await session.send('go')
  await session.answer('allow')
  expect(await session.until('agent_end')).toMatchObject({ reason: 'done' })
  expect(session.all('elicitation_request').length).toBe(1)
  expect((await session.until('tool_response', 2)).content).toMatch(
    /^> Ctrl\+C\n[\s\S]*\[the program has ended\]$/,
  )
  expect(await session.until('run_end')).toMatchObject({ exitCode: 130 })
})

test('[WAIT1] input without a program to take it is refused', async () => {
  world.model.say('<input>y</input><interrupt/>', 'Oh.')
  await session.send('go')
  await session.until('agent_end')
  expect(session.all('tool_response').map(({ content }) => content)).toEqual([
    '> y\n[not sent: nothing is running]',
    '> Ctrl+C\n[not sent: nothing is running]',
  ])
  expect(session.all('elicitation_request')).toEqual([])
})

test('[WAIT5] a person’s own command stays open while it waits, and says so', async () => {
  await session.send('!read -p "sure? " answer')
  await session.untilDelta((delta) => delta.type === 'tool_update' && delta.status === 'waiting')
  expect(session.all('tool_response')).toEqual([])
  await session.interrupt()
  await session.until('tool_response')
})

test('[WAIT5] the silence limit of a person’s command does not count while it waits for them', async () => {
  // Three times the limit; it ends by its own time-out, not by ours.
  const waited = await session.run('read -t 3 answer; echo "code $?"')
  expect(waited).toMatchObject({ status: 'done', content: expect.stringContaining('code 142') })
  const silent = await session.run('sleep 1000')
  expect(silent.status).toBe('timeout')
})

test('[WAIT5] another command is answered as busy at once while the model’s own program waits', async () => {
  world.model.say('<shell>cat</shell>', '<shell>pwd</shell>', '<interrupt/>', 'So.')
  await session.send('go')
  await session.answer('allow')
  await session.until('agent_end')
  const busy = await session.until('tool_response', 2)
  expect(busy).toMatchObject({
    status: 'busy',
    content: '$ pwd\n[not run: your earlier command is still running in the terminal: cat]',
  })
})

test('[WAIT1] a person is not asked for input that cannot be sent: keys that do not exist, control characters', async () => {
  world.model.say(
    '<shell>cat</shell>',
    '<input>a\u0001b</input>',
    `<input>${'x'.repeat(5_000)}</input>`,
    '<interrupt/>',
    'So.',
  )
  await session.send('go')
  await session.answer('allow')
  await session.until('agent_end')
  expect(session.all('elicitation_request')).toHaveLength(1)
  const said = session.all('tool_response').map(({ content }) => content.split('\n').at(-1))
  expect(said.slice(1, 3)).toEqual([
    '[not sent: it has control characters; name the keys instead]',
    '[not sent: a line can have at most 4095 bytes]',
  ])
})
