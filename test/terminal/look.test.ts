import { afterAll, afterEach, expect, test } from 'vitest'
import type { LiveViewSink } from '../../src/server/terminal/live-view/live-view.ts'
import { type LookedShell, removeWorker, startLooked } from './support/looked-shell.ts'

let shell: LookedShell | null = null

afterEach(async () => {
  await shell?.close()
  shell = null
})
afterAll(removeWorker)

async function start(): Promise<LookedShell> {
  shell = await startLooked()
  return shell
}

const ignore: LiveViewSink = { bytes() {}, screen() {}, resized() {} }

test('[TERM110] the model reads the last lines as a person sees them', async () => {
  const { run, read } = await start()
  await run("printf 'one\\ntwo\\n'; printf '10%%\\r55%%\\r100%%\\n'")
  await run("printf 'wrong\\e[2K\\rright\\n\\e]8;;http://x\\e\\\\link\\e]8;;\\e\\\\\\n'")
  expect(await read()).toBe(
    [
      "$ printf 'one\\ntwo\\n'; printf '10%%\\r55%%\\r100%%\\n'",
      'one',
      'two',
      '100%',
      "$ printf 'wrong\\e[2K\\rright\\n\\e]8;;http://x\\e\\\\link\\e]8;;\\e\\\\\\n'",
      'right',
      'link',
      '$',
    ].join('\n'),
  )
  expect(await read({ lines: 3 })).toBe('right\nlink\n$')
})

test('[TERM110] lines that left the screen are read too, and long ones are whole', async () => {
  const { run, read } = await start()
  await run("for i in {1..300}; do echo line $i; done; printf 'w%.0s' {1..400}; echo")
  const lines = (await read({ lines: 300 })).split('\n')
  expect(lines.length).toBe(300)
  expect(lines.slice(-3)).toEqual(['line 300', 'w'.repeat(400), '$'])
  expect(lines[0]).toBe('line 3')
})

test('[TERM110] colours are kept on request as SGR sequences, and nothing else is', async () => {
  const { run, read } = await start()
  const link = '\\e]8;;http://x\\e\\\\'
  await run(`printf '\\e[31mred\\e[0m \\e[5Cfar ${link}link\\e]8;;\\e\\\\ \\e[1"qkept\\e[0"q\\n'`)
  const [line] = (await read({ ansi: true, lines: 2 })).split('\n')
  expect(line).toBe('\x1b[0;31mred\x1b[0m      far link kept')
  expect(await read({ lines: 2 })).toBe('red      far link kept\n$')
})

test('[TERM110] while a program has taken the screen, that is what is read', async () => {
  const { run, read, terminal } = await start()
  await run('echo before')
  const draw = "printf '\\e[?1049h\\e[2J\\e[2;3Hhere\\e[5;1H\\e[7mbar\\e[0m'"
  let onScreen = () => {}
  const taken = new Promise<void>((resolve) => (onScreen = resolve))
  const ended = run(`${draw}; stty raw -echo; read -rN1 _; stty sane; printf '\\e[?1049l'`, {
    onStatus: (status) => (status === 'screen' ? onScreen() : undefined),
  })
  await taken
  expect(await read({ lines: 1 })).toBe('\n  here\n\n\nbar')
  expect(await read({ lines: 1, ansi: true })).toBe('\n  here\n\n\n\x1b[0;7mbar\x1b[0m')
  await terminal().send({ type: 'text', text: 'q' }, { signal: new AbortController().signal })
  await ended
  expect(await read()).toContain('before')
})

test('[TERM114] the model changes the size while nobody looks, and the shell is told', async () => {
  const { run, read, terminal } = await start()
  await run("trap 'echo changed' WINCH")
  expect(await terminal().resize({ rows: 30, cols: 100 })).toBeNull()
  expect((await run('stty size')).output.head).toContain('30 100')
  expect(await read({ lines: 4 })).toContain('changed')
  expect(terminal().liveView.state().size).toEqual({ rows: 30, cols: 100 })
  const viewer = terminal().liveView.view(ignore, {
    from: null,
    viewport: { rows: 25, cols: 90, visible: true },
  })
  expect(await terminal().resize({ rows: 50, cols: 50 })).toBe(
    'somebody is looking at the terminal',
  )
  expect((await run('stty size')).output.head).toContain('25 90')
  viewer.close()
  expect(await terminal().resize({ rows: 1, cols: 1_000 })).toBeNull()
  expect((await run('stty size')).output.head).toContain('1 1000')
})

test.each([
  { rows: 0, cols: 80 },
  { rows: 24, cols: 1_001 },
  { rows: 1.5, cols: 80 },
  { rows: Number.NaN, cols: -1 },
])('[TERM114] a size of $rows × $cols is refused', async (size) => {
  const { run, terminal } = await start()
  expect(await terminal().resize(size)).toBe('rows and columns are whole numbers from 1 to 1000')
  expect((await run('stty size')).output.head).toBe('40 120\n')
})

test('[TERM114] a program in a person’s hands keeps its size', async () => {
  const { run, terminal } = await start()
  let onWaiting = () => {}
  const waits = new Promise<void>((resolve) => (onWaiting = resolve))
  const ended = run('read -r answer', {
    by: 'person',
    onStatus: (status) => (status === 'waiting' ? onWaiting() : undefined),
  })
  await waits
  expect(await terminal().resize({ rows: 30, cols: 100 })).toBe('the user is using the terminal')
  terminal().liveView.type('x\n')
  await ended
  expect(await terminal().resize({ rows: 30, cols: 100 })).toBeNull()
})
