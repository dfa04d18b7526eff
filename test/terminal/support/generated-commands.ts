import { execFile } from 'node:child_process'
import fc from 'fast-check'

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
export const command = fc.array(simple, { minLength: 1, maxLength: 4 }).chain((parts) =>
  fc.constantFrom('\n', ' ; ', '\n\n').map((joint) => {
    const isPlain = parts.every((part) => !part.includes('\n') && !part.includes('#'))
    return `(\n${parts.join(isPlain ? joint : '\n')}\n)`
  }),
)

/** What a bash of its own makes of it. */
export function inNewBash(
  text: string,
  shell: { home: string },
): Promise<{ output: Buffer; code: number }> {
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

export function withoutCr(bytes: Buffer): string {
  return bytes.toString('latin1').replaceAll('\r', '')
}
