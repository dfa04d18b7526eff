// needs: python3
import { execFileSync } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { routes } from '../../src/protocol/http/routes.ts'
import { everythingKept } from '../faults/support/everything-kept.ts'
import { hashOf, kinds, writePrograms } from '../faults/support/hidden-prompts.ts'
import { parentOf, untilGone } from '../faults/support/living.ts'
import { createLeakSearch } from '../faults/support/leak-search.ts'
import { openTab, openViewer } from '../live-view/support/viewer.ts'
import type { TestSession } from '../support/session.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld({ config: { personSilenceSeconds: 0, modelRunSeconds: 0 } })

const newSecret = () => randomBytes(24).toString('hex')

async function shown(session: TestSession, text: string): Promise<void> {
  await session.untilDelta(
    (delta) => delta.type === 'tool_update' && delta.output?.text.includes(text) === true,
  )
}

async function expectNowhere(secrets: readonly string[]): Promise<void> {
  const search = createLeakSearch()
  for (const secret of secrets) search.add(secret)
  for (const kept of await everythingKept(world.server)) expect(search.find(kept)).toEqual([])
  expect(search.find(JSON.stringify(world.model.requests))).toEqual([])
}

const awaited = { fault: { refusal: { code: 'secret_awaited' } } }
const suspected = { fault: { refusal: { code: 'secret_suspected' } } }

test.each(kinds)(
  '[SEC5] while %s reads a secret no text is taken, whatever it looks like, and nothing of it is kept',
  async (kind) => {
    await writePrograms(world.server.workspace)
    const session = await world.server.session()
    const secret = newSecret()
    const { first } = await session.send(`!./${kind} ask 1 1`)
    await shown(session, 'ask-1? ')
    const { head } = await session.view()
    for (const text of [secret, `!${secret}`, `!!${secret}`, `/${secret}`, `\\${secret}`])
      await expect(session.send(text)).rejects.toMatchObject(awaited)
    await expect(session.send(secret, 'run')).rejects.toMatchObject(awaited)
    await expect(session.send(secret, 'text')).rejects.toMatchObject(awaited)
    expect((await session.view()).head).toBe(head)
    // The session's own commands are no passwords.
    await session.send('/title while it waits')
    const socket = await openTab(world.server)
    const typed = once(socket, 'message').then(([data]) => String(data))
    socket.send(JSON.stringify({ type: 'secret', session: session.id, data: `${secret}\r` }))
    expect(JSON.parse(await typed)).toEqual({ type: 'secret_typed', session: session.id })
    await session.answerTo(first)
    expect(JSON.stringify(session.events)).toContain(`ask-1=${hashOf(secret)}`)
    // Nothing reads a secret any more: a late one is not typed at a prompt, where it would be shown and run.
    const late = once(socket, 'message').then(([data]) => String(data))
    socket.send(JSON.stringify({ type: 'secret', session: session.id, data: `${secret}\r` }))
    expect(JSON.parse(await late)).toMatchObject({ type: 'refused', code: 'not_waiting' })
    socket.close()
    await expectNowhere([secret])
    world.model.say('Hello.')
    await session.send('Hi')
    await session.until('agent_end')
  },
)

test('[SEC5] text that comes at the very moment the echo goes off is not taken', async () => {
  const session = await world.server.session()
  const fifo = join(world.server.workspace, 'now')
  execFileSync('mkfifo', [fifo])
  const secrets: string[] = []
  for (let n = 0; n < 10; n += 1) {
    const secret = newSecret()
    secrets.push(secret)
    const { first } = await session.send(
      '!stty -echo; echo > now; sleep 0.05; read -r x; stty echo; echo "${#x} letters"',
    )
    await readFile(fifo)
    await expect(session.send(secret)).rejects.toMatchObject(awaited)
    await session.interrupt('int')
    await session.answerTo(first)
    await session.run('stty echo')
  }
  await expectNowhere(secrets)
})

test('[SEC5] a program that turns the echo off and reads nothing keeps nobody from talking', async () => {
  const session = await world.server.session()
  await session.send('!stty -echo; echo quiet; exec 3< <(sleep 1000); cat <&3; stty echo')
  await shown(session, 'quiet')
  world.model.say('Fine.')
  await session.send('Is it done?')
  await session.until('agent_end')
  await session.interrupt('kill')
})

test('[SEC5] a text that was taken before the secret was asked for is answered as before when it is sent again', async () => {
  const session = await world.server.session()
  const { client } = world.server
  const send = () =>
    client.call(routes.send, {
      params: { id: session.id },
      body: { text: '!read -s -p "pass? " x', as: 'auto', key: 'again-and-again-1' },
    })
  const first = await send()
  await shown(session, 'pass? ')
  expect(await send()).toEqual(first)
  await session.interrupt('int')
})

test('[SEC5] a stopped holder does not keep the kernel from telling', async () => {
  const session = await world.server.session()
  await session.send('!read -s -p "pass? " x')
  await shown(session, 'pass? ')
  const holder = parentOf((await session.until('shell_start')).pid)
  process.kill(holder, 'SIGSTOP')
  try {
    await expect(session.send(newSecret())).rejects.toMatchObject(awaited)
  } finally {
    process.kill(holder, 'SIGCONT')
  }
  await session.interrupt('int')
})

test('[SEC6] a shell that was killed asks for nothing, also before its holder has said so', async () => {
  for (let n = 0; n < 10; n += 1) {
    const session = await world.server.session()
    await session.send('!printf "%s" "pass""word? "; while :; do read -r -t 1; done')
    await shown(session, 'password? ')
    const { pid } = await session.until('shell_start')
    process.kill(pid, 'SIGKILL')
    await untilGone([pid])
    world.model.say('Gone.')
    await session.send('What happened?')
    await session.until('agent_end')
  }
})

test('[SEC5] a program that somebody typed in the terminal reads a secret like any other', async () => {
  const session = await world.server.session()
  await session.run('true')
  const viewer = await openViewer(world.server, session.id)
  viewer.type('read -s -p "type""d? " x; echo "${#x} letters"\r')
  await viewer.untilSeen('typed? ')
  const secret = newSecret()
  await expect(session.send(secret)).rejects.toMatchObject(awaited)
  viewer.type(`${secret}\r`)
  await viewer.untilSeen(`${secret.length} letters`)
  await viewer.close()
  await expectNowhere([secret])
})

test('[SEC5] while a secret is read nothing is completed, and a changed or answering text is not taken either', async () => {
  const session = await world.server.session()
  const { client } = world.server
  const secret = newSecret()
  const complete = () => client.complete(session.id, { text: '/ti', cursor: 3 })
  expect((await complete()).items).not.toEqual([])
  let goOn = () => {}
  world.model.say({ pieces: ['Wait.'], ending: new Promise<void>((resolve) => (goOn = resolve)) })
  await session.send('Talk')
  const { first: queued } = await session.send('and then this')
  const { first } = await session.send('!read -s -p "pass? " x')
  await shown(session, 'pass? ')
  expect((await complete()).items).toEqual([])
  await client.complete(session.id, { text: `/${secret}`, cursor: 49 })
  await client.complete(session.id, { text: `!cat ${secret}`, cursor: 53 })
  const params = { id: session.id }
  const edit = { seq: queued ?? 0, text: `and then ${secret}` }
  await expect(client.call(routes.queue, { params, body: edit })).rejects.toMatchObject(awaited)
  const word = { ask: `ask-${randomUUID()}`, outcome: 'deny', word: secret } as const
  await expect(client.call(routes.answer, { params, body: word })).rejects.toMatchObject(awaited)
  await session.interrupt('int')
  await session.answerTo(first)
  expect((await complete()).items).not.toEqual([])
  world.model.say('Done.')
  goOn()
  await session.until('agent_end')
  await expectNowhere([secret])
})

test('[SEC6] where nobody can know, a text behind a password question is taken from no client until a person says that it is none', async () => {
  const session = await world.server.session()
  const secret = newSecret()
  const ask = `stty raw -echo; printf '%s' "me@host's pass""word: "; head -c 1; stty sane`
  const { first } = await session.send(`!${ask}`)
  await shown(session, 'password: ')
  const { head } = await session.view()
  for (const text of [secret, `!${secret}`, `/${secret}`])
    await expect(session.send(text)).rejects.toMatchObject(suspected)
  expect((await session.view()).head).toBe(head)
  await session.send('/title while it waits')
  await expectNowhere([secret])
  world.model.say('It is.')
  const { client } = world.server
  const questions: string[] = []
  const isNotSecret = (question: string) => questions.push(question) === 1
  await client.send(session.id, { text: 'Is it up?', isNotSecret })
  await expect(client.send(session.id, { text: secret, isNotSecret })).rejects.toMatchObject(
    suspected,
  )
  expect(questions).toEqual(["me@host's password:", "me@host's password:"])
  await session.until('agent_end')
  await session.interrupt('kill')
  await session.answerTo(first)
  await expectNowhere([secret])
  // Where the kernel knows, nobody's word counts.
  await session.send('!stty sane; read -s -p "pass? " x')
  await shown(session, 'pass? ')
  await expect(client.send(session.id, { text: secret, notSecret: true })).rejects.toMatchObject(
    awaited,
  )
  await session.interrupt('int')
  await expectNowhere([secret])
})

test('[SEC6] a question whose program is gone, with its shell or without, suspects nobody', async () => {
  const session = await world.server.session()
  const { client } = world.server
  for (const end of ['sleep 1000', 'while :; do read -r -t 1; done']) {
    const { first } = await session.send(`!printf '%s' "pass""word: "; ${end}`)
    await shown(session, 'password: ')
    await expect(session.send('Well?')).rejects.toMatchObject(suspected)
    await session.interrupt('kill')
    await session.answerTo(first)
    world.model.say('Well.')
    const turns = session.all('agent_end').length
    await client.send(session.id, { text: 'Well?' })
    await session.until('agent_end', turns + 1)
  }
})
