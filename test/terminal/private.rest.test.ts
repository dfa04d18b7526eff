// needs: zsh fish
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { createSignal } from '../support/signal.ts'
import { type LookedShell, removeWorker, startLooked } from './support/looked-shell.ts'
import { runOf } from './support/temp-shell.ts'

const seed = Number(process.env['TANDEM_SEED'] ?? 20_260)
const runs = Number(process.env['TANDEM_PRIVATE_RUNS'] ?? 60)

let shell: LookedShell | null = null

afterEach(async () => {
  await shell?.close()
  shell = null
})
afterAll(removeWorker)

/** mulberry32: the same numbers for the same seed. */
function createRandom(from: number): (below: number) => number {
  let state = from >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

/** Ways to print a secret, and to leave the terminal in a state, that all three shells understand. */
const privately: readonly ((word: string) => string)[] = [
  (word) => `echo ${word}`,
  (word) => `printf '${word}'`,
  (word) => `echo ${word} | rev`,
  (word) => `printf '\\033[31m${word}\\n'`,
  (word) => `printf '\\033[?1049h${word}\\n'`,
  (word) => `printf '\\033[?1049h\\033[H${word}\\033[?1049l'`,
  (word) => `printf '\\033]0;${word}'`,
  (word) => `printf '\\033[3A${word}\\033[3B\\n'`,
  (word) => `printf '\\033[H\\033[2J\\033[3J${word}\\n'`,
  (word) => `printf '\\033[5;9r\\033[7;1H${word}\\n${word}\\n'; printf '\\033[r'`,
  (word) => `printf '${word}%.0s ' 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16`,
  (word) => `echo ${word}\necho ${word}-again`,
  (word) => `# ${word}`,
  (word) => word,
  (word) => `echo "${word}`,
  (word) => `echo ${word} )`,
  (word) => `sh -c 'echo ${word}; exit 7'`,
  (word) => `sh -c 'exit 3 # ${word}' & sleep 0.05`,
  (word) => `printf '${word}\\360\\237'`,
  (word) => `printf '${word}\\016'`,
]

const openly: readonly ((word: string) => string)[] = [
  (word) => `echo ${word}`,
  (word) => `printf '10\\r50\\r${word}\\n'`,
  (word) => `printf '\\033[32m${word}\\033[0m\\n'`,
  (word) => `seq 60; echo ${word}`,
  (word) => `clear; echo ${word}`,
  (word) => `printf '\\033[2J\\033[H${word}\\n'`,
]

const start = (name: string) =>
  startLooked({ shell: name, env: { fish_history: '', HISTFILE: '/dev/null' } })

test.each(['bash', 'zsh', 'fish'])(
  `[TERM117] neither output nor text of private commands is ever read: %s (seed ${seed})`,
  async (name) => {
    shell = await start(name)
    const random = createRandom(seed + name.length)
    const secrets: string[] = []
    const pick = <T>(list: readonly T[]): T => list[random(list.length)]!
    const word = (first: string) =>
      first + Array.from({ length: 9 }, () => String.fromCharCode(97 + random(26))).join('')

    const disturb = [
      async () =>
        void (await shell?.terminal().resize({ rows: 5 + random(60), cols: 20 + random(150) })),
      async () => shell?.restartServer(),
      async () => {},
    ]

    async function look(): Promise<string> {
      const lines = pick([5, 50, 1_000])
      const plain = (await shell?.read({ lines })) ?? ''
      const coloured = (await shell?.read({ lines, ansi: true })) ?? ''
      for (const secret of secrets)
        for (const text of [plain, coloured.replaceAll(/\x1b\[[\d;:]*m/g, '')]) {
          expect(text, secret).not.toContain(secret)
          expect(text, secret).not.toContain(secret.split('').toReversed().join(''))
        }
      return plain
    }

    for (let count = 0; count < runs; count += 1) {
      const secret = word('zq')
      secrets.push(secret)
      await shell.runPrivate((privately[count] ?? pick(privately))(secret))
      await pick(disturb)()
      await look()
      const told = word('pub')
      if (random(3) === 0) continue
      await shell.run(pick(openly)(told), { by: random(2) === 0 ? 'person' : 'model' })
      expect(await look()).toContain(told)
    }
    await shell.restartServer()
    await look()
  },
)

test('[TERM117] what was printed before and after a private command stays readable', async () => {
  shell = await startLooked()
  await shell.run('echo before')
  await shell.runPrivate("printf '\\e[?1049h\\e[31msecret'")
  await shell.run('echo after')
  expect(await shell.read()).toBe(
    ['$ echo before', 'before', '$', '$', '$ echo after', 'after', '$'].join('\n'),
  )
})

test('[TERM117] a private command begun under an earlier server is hidden whole', async () => {
  shell = await startLooked()
  await shell.run('mkfifo gate')
  const printed = createSignal()
  let output = ''
  const { run, watch } = runOf('echo secret; read -r _ <gate; echo secret', {
    by: 'person',
    onOutput(text) {
      output += text
      printed.fire()
    },
  })
  void shell.terminal().run(run, watch)
  await printed.until(() => output.includes('secret'))
  await shell.restartServer()
  const end = shell.terminal().resume(run, watch)
  await writeFile(join(shell.home, 'gate'), 'go\n')
  shell.hide(await end)
  await shell.run('echo after')
  expect(await shell.read()).toBe(['$ mkfifo gate', '', '$ echo after', 'after', '$'].join('\n'))
})

test.each(['bash', 'zsh', 'fish'])(
  '[TERM117] what a job of a private command prints at the prompt is not read: %s',
  async (name) => {
    shell = await start(name)
    await shell.run('mkfifo gate done')
    await writeFile(join(shell.home, 'late'), 'secret\n')
    await shell.runPrivate("sh -c 'cat gate; cat late; echo >done' &")
    await writeFile(join(shell.home, 'gate'), '')
    await readFile(join(shell.home, 'done'))
    await shell.terminal().liveView.heard()
    expect(await shell.read()).not.toContain('secret')
    await shell.run('echo after')
    const seen = await shell.read()
    expect(seen).toContain('after')
    expect(seen).not.toContain('secret')
  },
)
