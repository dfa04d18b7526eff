import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import type { TerminalInput } from '../../src/protocol/terminal-act.ts'
import type { Range } from '../../src/server/terminal/byte-log-reader.ts'
import type { Captured, TerminalRunEnd } from '../../src/server/terminal/terminal.ts'
import { type LookedShell, removeWorker, startLooked } from './support/looked-shell.ts'
import { text } from './support/temp-shell.ts'

let shell: LookedShell | null = null

afterEach(async () => {
  await shell?.close()
  shell = null
})
afterAll(removeWorker)

/** Starts a program and tells what the model sees of it once it needs somebody. */
async function waits(command: string): Promise<{ seen: string; ended: Promise<TerminalRunEnd> }> {
  shell ??= await startLooked()
  let onSeen: (seen: Captured) => void = () => {}
  const seen = new Promise<Captured>((resolve) => (onSeen = resolve))
  const ended = shell.run(command, { onWaits: (_state, said) => onSeen(said) })
  return { seen: text(await seen), ended }
}

async function send(input: TerminalInput, hidden: readonly Range[] = []) {
  const { signal } = new AbortController()
  const sent = await shell!.terminal().send(input, { signal, hidden })
  expect(sent.refused).toBeNull()
  return { state: sent.state, seen: text(sent.output) }
}

const type = (line: string, hidden?: readonly Range[]) => send({ type: 'text', text: line }, hidden)
const press = (...names: string[]) => send({ type: 'keys', names })

const altScreen = (what: string) => `printf '\\e[?1049h\\e[H\\e[2J'; ${what}; printf '\\e[?1049l'`

test('[WAIT8] of a pager the model sees the page, and after a key the next one', async () => {
  shell = await startLooked()
  const file = join(shell.home, 'long.txt')
  writeFileSync(file, Array.from({ length: 100 }, (_, n) => `line ${n + 1}.\n`).join(''))
  const { seen, ended } = await waits(`env -u LESS less ${file}`)
  const { rows } = shell.terminal().lane.state().size
  expect(seen).toMatch(new RegExp(`^line 1\\.\nline 2\\.\n[^]*line ${rows - 1}\\.\n.*long\\.txt$`))
  const next = await press('Space')
  expect(next.state).toBe('screen')
  expect(next.seen).toMatch(new RegExp(`^line ${rows}\\.\n[^]*line ${2 * rows - 2}\\.\n:$`))
  expect(await type('q')).toMatchObject({ state: 'ended' })
  expect(await ended).toMatchObject({ exitCode: 0 })
})

test('[WAIT8] of an editor the model sees the text as it stands there', async () => {
  shell = await startLooked()
  const file = join(shell.home, 'note.txt')
  writeFileSync(file, 'first\nsecond\n')
  const { seen, ended } = await waits(`vim -u NONE -n ${file}`)
  expect(seen).toMatch(/^first\nsecond\n~\n/)
  expect((await type('onew')).seen).toMatch(/^first\nnew\n\nsecond\n~\n/)
  await press('Escape')
  await type(':q!')
  await ended
})

test('[WAIT8] a screen that is asked something on shows, also while a line is read', async () => {
  await (shell = await startLooked()).run('echo before')
  const { seen, ended } = await waits(altScreen(`printf 'menu\\n\\nyour choice: '; read choice`))
  expect(seen).toBe('menu\n\nyour choice:')
  expect(await type('1')).toMatchObject({ state: 'ended' })
  await ended
})

test('[WAIT9] of a program that only writes lines the model sees them all, then what is new', async () => {
  shell = await startLooked()
  const program = `for i in {1..60}; do echo "line $i"; done; printf '10%%\\r90%%\\n'`
  const { seen, ended } = await waits(`${program}; read -p 'a? ' a; echo "got $a"; read -p 'b? ' b`)
  expect(seen).toMatch(/^line 1\nline 2\n[\s\S]*line 60\n90%\na\?/)
  const next = await type('x')
  expect(next.seen).toBe('x\ngot x\nb? ')
  await type('y')
  await ended
})

test('[WAIT10] what became private meanwhile is not on the screen that the model sees', async () => {
  const program = altScreen(`read -p 'one? ' a; read -p 'two? ' b; read -p 'three? ' c`)
  const { ended } = await waits(program)
  const from = (await shell!.terminal().lane.heard())!
  expect((await type('hunter2')).seen).toBe('one? hunter2\ntwo?')
  const to = (await shell!.terminal().lane.heard())!
  const { seen } = await type('open', [{ from, to }])
  expect(seen).not.toContain('hunter2')
  expect(seen).toContain('three?')
  await type('z')
  await ended
})
