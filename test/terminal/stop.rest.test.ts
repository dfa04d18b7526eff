// needs: zsh fish
import { setImmediate as turn } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { startShell, text, type RunOptions, type TempShell } from './support/temp-shell.ts'

async function ownShell(shell = 'bash'): Promise<TempShell> {
  const own = await startShell({ shell })
  onTestFinished(() => own.close())
  return own
}

/** Starts a run and waits until it has printed `on`. */
async function running(own: TempShell, command: string, options: RunOptions = {}) {
  let seen = ''
  let on: () => void = () => {}
  const started = new Promise<void>((resolve) => {
    on = resolve
  })
  const end = own.run(command, {
    ...options,
    onOutput(more) {
      seen += more
      if (seen.includes('on')) on()
    },
  })
  await started
  return { end }
}

const stubborn = `bash -c 'trap "" INT TERM; echo on; while :; do sleep 0.1; done'`

test('[TERM50] an interrupt ends a sleep at once with 130', async () => {
  const own = await ownShell()
  const { end } = await running(own, 'echo on; sleep 1000')
  const before = performance.now()
  await own.terminal.interrupt('int')
  expect(await end).toMatchObject({ outcome: 'ended', exitCode: 130 })
  expect(performance.now() - before).toBeLessThan(1000)
})

test('[TERM50] an interrupt drops the lines that were still to come', async () => {
  const own = await ownShell()
  const { end } = await running(own, 'echo on; sleep 1000\necho never\necho never2')
  await own.terminal.interrupt('int')
  expect(text((await end).output)).not.toContain('never')
  expect(text((await own.run('echo next')).output)).toBe('next\n')
})

test('[TERM50] an interrupt reaches a program that switched signal keys off', async () => {
  const own = await ownShell()
  const { end } = await running(own, 'stty -isig; echo on; sleep 1000')
  await own.terminal.interrupt('int')
  expect(await end).toMatchObject({ outcome: 'ended', exitCode: 130 })
})

test('[TERM53] term and kill reach the foreground program, not the shell', async () => {
  const own = await ownShell()
  for (const [signal, code] of [
    ['term', 143],
    ['kill', 137],
  ] as const) {
    const { end } = await running(own, `bash -c 'trap "" INT; echo on; sleep 1000'`)
    await own.terminal.interrupt(signal)
    expect(await end).toMatchObject({ outcome: 'ended', exitCode: code })
  }
  await own.terminal.interrupt('kill')
  expect((await own.run('echo $$')).output.head.trim()).toBe(String(own.info.pid))
})

test('[TERM53] aborting a stubborn program climbs the ladder and ends it within 6 s', async () => {
  const own = await ownShell()
  const abort = new AbortController()
  const statuses: string[] = []
  const { end } = await running(own, stubborn, {
    signal: abort.signal,
    onStatus: (status) => statuses.push(status),
  })
  const before = performance.now()
  abort.abort()
  expect(await end).toMatchObject({ outcome: 'ended', exitCode: 137 })
  expect(performance.now() - before).toBeLessThan(6000)
  expect(statuses).toEqual(['running', 'stopping', 'killing'])
  expect(own.ends).toEqual([])
})

test('[TERM53] when even a kill does not bring the prompt back, the shell is ended for a new one', async () => {
  const own = await ownShell()
  const abort = new AbortController()
  const { end } = await running(own, `trap '' INT; while :; do ${stubborn}; done`, {
    signal: abort.signal,
  })
  abort.abort()
  expect(await end).toMatchObject({ outcome: 'shell_exited' })
  expect(await own.shellEnd).toMatchObject({ reason: 'restarted', signal: 'SIGKILL' })
})

test('[TERM53] restart ends the shell, and a new one starts', async () => {
  const own = await ownShell()
  const { end } = await running(own, 'echo on; sleep 1000')
  await own.terminal.interrupt('restart')
  expect(await end).toMatchObject({ outcome: 'shell_exited', signal: 'SIGKILL' })
  expect(await own.shellEnd).toMatchObject({ reason: 'restarted' })
  expect(await own.terminal.start({ generation: 2, cwd: own.home })).toMatchObject({ ok: true })
  expect(text((await own.run('echo new')).output)).toBe('new\n')
})

test("[TERM57] a model's run that lasts too long is reported once and stopped", async () => {
  const own = await ownShell()
  const reports: string[] = []
  const { end } = await running(own, 'while :; do echo on; sleep 0.05; done', {
    timeoutMs: 300,
    onTimeout: (output) => reports.push(text(output)),
  })
  expect(await end).toMatchObject({ outcome: 'ended', exitCode: 130 })
  expect(reports).toHaveLength(1)
  expect(reports[0]).toMatch(/^on\non\n/)
})

test("[TERM57] a person's run is stopped for silence only", async () => {
  const own = await ownShell()
  const reports: string[] = []
  const onTimeout = () => reports.push('timeout')
  const busy = 'for i in 1 2 3 4 5 6 7 8; do echo on; sleep 0.1; done'
  const talking = await own.run(busy, { by: 'person', timeoutMs: 400, onTimeout })
  expect([talking.exitCode, reports]).toEqual([0, []])
  const silent = await own.run('sleep 1000', { by: 'person', timeoutMs: 400, onTimeout })
  expect([silent.exitCode, reports]).toEqual([130, ['timeout']])
})

test('[TERM160] a run aborted before it begins is not started', async () => {
  const own = await ownShell()
  const end = await own.run('echo x', { signal: AbortSignal.abort() })
  expect(end).toMatchObject({ outcome: 'not_started' })
})

test('[TERM160] a second run while one goes on is not started', async () => {
  const own = await ownShell()
  const { end } = await running(own, 'echo on; sleep 1000')
  expect(await own.run('echo x')).toMatchObject({ outcome: 'not_started' })
  await own.terminal.interrupt('int')
  await end
})

test.each([
  ['INT', 143, ['running', 'stopping'], 'Ctrl+C had no effect; TERM was sent.'],
  [
    'INT TERM',
    137,
    ['running', 'stopping', 'killing'],
    'Ctrl+C and TERM had no effect; KILL was sent.',
  ],
])(
  '[TERM53] stopping a person’s program that ignores %s climbs the ladder, and the record says how far',
  async (ignored, exitCode, steps, note) => {
    const own = await ownShell()
    const statuses: string[] = []
    const loop = `bash -c 'trap "" ${ignored}; echo on; while :; do sleep 0.1; done'`
    const { end } = await running(own, loop, {
      by: 'person',
      onStatus: (status) => statuses.push(status),
    })
    await own.terminal.interrupt('int')
    const { output, ...ended } = await end
    expect(ended).toMatchObject({ outcome: 'ended', exitCode })
    expect(statuses).toEqual(steps)
    expect(text(output).split('\n').filter(Boolean).at(-1)).toBe(note)
    expect(own.ends).toEqual([])
    expect(text((await own.run('echo as before')).output)).toBe('as before\n')
  },
)

const { execPath } = process
test.each([
  ['a REPL that reads keys itself', `${execPath} -i`, '> ', '40 + 2', '42', '.exit'],
  [
    'a program that handles it',
    `${execPath} -e 'process.on("SIGINT", () => console.log("again?")); console.log("on"); process.stdin.on("data", (d) => String(d) === "exit\\n" ? process.exit() : console.log("told"))'`,
    'on',
    'more',
    'told',
    'exit',
  ],
])('[TERM50] one interrupt is one interrupt: %s lives on', async (...row) => {
  const [, command, ready, line, answer, leave] = row
  const own = await ownShell()
  let seen = ''
  let onSeen: () => void = () => {}
  const started = new Promise<void>((resolve) => {
    onSeen = resolve
  })
  const end = own.run(command, {
    by: 'person',
    onOutput(more) {
      seen += more
      if (seen.includes(ready)) onSeen()
    },
  })
  await started
  await own.terminal.interrupt('int')
  const { signal } = new AbortController()
  // Each waits until the program asks again: far longer than a second interrupt would take.
  for (let time = 0; time < 6; time += 1) {
    const sent = await own.terminal.send({ type: 'text', text: line }, { signal })
    expect(sent.refused).toBeNull()
    expect(text(sent.output)).toContain(answer)
  }
  await own.terminal.send({ type: 'text', text: leave }, { signal })
  expect(await end).toMatchObject({ outcome: 'ended', exitCode: 0 })
})

test.each(['bash', 'zsh', 'fish'])(
  '[TERM50] an interrupt at any moment of a command’s way into %s ends that command, and nothing else is run',
  async (shell) => {
    const own = await ownShell(shell)
    for (let turns = 0; turns < 25; turns += 1) {
      const id = `sh-${turns}`
      const end = own.run('sleep 1000', { id, by: turns % 2 === 0 ? 'model' : 'person' })
      // Each time a little later: before it is entered, in the line editor, as it starts.
      for (let left = turns; left > 0; left -= 1) await turn()
      await own.terminal.interrupt('int')
      const { outcome, exitCode, output } = await end
      own.terminal.settle(id)
      expect({ outcome, exitCode }).toEqual({ outcome: 'ended', exitCode: 130 })
      expect(text(output)).toMatch(/^(\^C|\n)*$/)
    }
    expect(text((await own.run('echo as before')).output)).toBe('as before\n')
  },
)
