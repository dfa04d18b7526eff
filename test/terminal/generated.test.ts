import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { isAlive, sessionOf, startShell, type TempShell } from './support/temp-shell.ts'

/** 10,000 in the soak; enough here to meet every shape many times. */
const count = Number(process.env['TANDEM_COMMANDS'] ?? 1_500)
/** The same commands every time, unless told otherwise: a failure must be one's own. */
const seed = Number(process.env['TANDEM_SEED'] ?? 20_261_115)

const word = fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => text.replaceAll('\0', ''))
const quoted = word.map((text) => `'${text.replaceAll("'", `'\\''`)}'`)
const doubled = word.map((text) => `"${text.replaceAll(/[\\"$`!\n]/g, '')}"`)
const byte = fc.integer({ min: 1, max: 255 }).map((n) => `\\x${n.toString(16).padStart(2, '0')}`)
const code = fc.integer({ min: 0, max: 255 })

const simple = fc.oneof(
  quoted.map((text) => `printf '%s\\n' ${text}`),
  doubled.map((text) => `echo ${text}`),
  fc.array(byte, { maxLength: 20 }).map((bytes) => `printf '${bytes.join('')}'`),
  code.map((n) => `(exit ${n})`),
  fc.constantFrom(
    'true',
    'false',
    'echo',
    'pwd',
    'echo "$HOME"',
    'printf "no line end"',
    'echo out; echo err >&2',
    'echo "!! !x !$"',
    'x=5; echo "$((x * 7))"',
    'echo {a..e} {1..9..3}',
    '[[ abc == a* ]] && echo yes',
    'set -- a "b c" d; printf "<%s>" "$@"',
    'a=(1 2 3); echo "${a[@]:1}" "${#a[@]}"',
    'echo tab\there',
    '# a comment\n:',
    ': nothing',
  ),
  fc.tuple(word, code).map(([text, n]) => {
    const body = text.replaceAll(/[\\$`]/g, '')
    return `cat <<'END'\n${body}\nEND\n(exit ${n})`
  }),
  fc.integer({ min: 1, max: 30 }).map((n) => `seq ${n} | sort -r | head -n 3`),
  fc.integer({ min: 1, max: 5 }).map((n) => `for i in $(seq ${n}); do\n  echo "line $i"\ndone`),
)

/** In a subshell, so that one command leaves nothing for the next, as `bash -c` does not either. */
const command = fc.array(simple, { minLength: 1, maxLength: 4 }).chain((parts) =>
  fc.constantFrom('\n', ' ; ', '\n\n').map((joint) => {
    const isPlain = parts.every((part) => !part.includes('\n') && !part.includes('#'))
    return `(\n${parts.join(isPlain ? joint : '\n')}\n)`
  }),
)

function inNewBash(text: string, shell: TempShell): Promise<{ output: Buffer; code: number }> {
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: shell.home,
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
  }
  const options = { cwd: shell.home, env, encoding: 'buffer', maxBuffer: 16 << 20 } as const
  return new Promise((resolve) => {
    const child = execFile('bash', ['-c', `exec 2>&1\n${text}`], options, (error, stdout) => {
      resolve({ output: stdout, code: typeof error?.code === 'number' ? error.code : 0 })
    })
    child.stdin?.end()
  })
}

function withoutCr(bytes: Buffer): string {
  return bytes.toString('latin1').replaceAll('\r', '')
}

test(`[TERM95] generated commands give the output and exit code of a new bash each (seed ${seed})`, async () => {
  const shell = await startShell()
  onTestFinished(() => shell.close())
  await shell.run('true')
  // The holder opens its log's files with the first write to them.
  await shell.terminal.readOutput({ from: 0, to: 1 })
  const before = { processes: sessionOf(shell.info.pid).length, files: descriptors(shell.info.pid) }
  const different: string[] = []
  for (const text of fc.sample(command, { numRuns: count, seed })) {
    const [end, expected] = await Promise.all([shell.run(text), inNewBash(text, shell)])
    const range = { from: end.ptyFrom ?? 0, to: end.ptyTo ?? 0 }
    const output = withoutCr((await shell.terminal.readOutput(range)).bytes)
    if (output !== withoutCr(expected.output) || end.exitCode !== expected.code)
      different.push(
        JSON.stringify({
          text,
          output,
          end: end.exitCode,
          expected: { ...expected, output: withoutCr(expected.output) },
        }),
      )
  }
  expect(different.slice(0, 5)).toEqual([])
  expect({
    processes: sessionOf(shell.info.pid).length,
    files: descriptors(shell.info.pid),
  }).toEqual(before)
  expect(isAlive(shell.info.pid)).toBe(true)
}, 600_000)

function descriptors(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const parent = Number(/^PPid:\s+(\d+)/m.exec(status)?.[1])
  return readdirSync(`/proc/${parent}/fd`).length + readdirSync(`/proc/${pid}/fd`).length
}
