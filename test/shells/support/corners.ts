import type { ShellName } from '../../../src/protocol/events/shell.ts'

interface Absent {
  /** Why there is no such thing in this shell. */
  absent: string
}

export interface Corner {
  what: string
  /** One for all, or one for each shell. */
  command: string | Readonly<Record<ShellName, string | Absent>>
  output: string | RegExp
  /** Exit code; 0 unless told. */
  code?: number | Readonly<Record<ShellName, number>>
}

const noHereDocument = { absent: 'fish has no here-documents' }

/** The corner table: commands that could confuse a shell, an editor or us, and what they must give. */
export const corners: readonly Corner[] = [
  { what: 'output and code', command: 'echo hello; false', output: 'hello\n', code: 1 },
  { what: 'several lines', command: 'echo one\necho two\necho three', output: 'one\ntwo\nthree\n' },
  {
    what: 'a loop over lines',
    command: {
      bash: 'for i in 1 2 3\ndo\n  echo "n$i"\ndone',
      zsh: 'for i in 1 2 3\ndo\n  echo "n$i"\ndone',
      fish: 'for i in 1 2 3\n  echo "n$i"\nend',
    },
    output: 'n1\nn2\nn3\n',
  },
  {
    what: 'a here-document',
    command: {
      bash: 'cat <<END\na $((1 + 1))\n  b\nEND\necho after',
      zsh: 'cat <<END\na $((1 + 1))\n  b\nEND\necho after',
      fish: noHereDocument,
    },
    output: 'a 2\n  b\nafter\n',
  },
  {
    what: 'a definition that a later line uses',
    command: 'alias hey="echo hey"\nhey',
    output: 'hey\n',
  },
  {
    what: 'a middle line that reads the terminal',
    command: `echo a\nbash -c 'read -t 0.05 x; echo "[$x]"'\necho b`,
    output: 'a\n[]\nb\n',
  },
  { what: 'no final newline', command: 'printf abc', output: 'abc' },
  { what: 'only blank lines', command: "printf '\\n\\n'", output: '\n\n' },
  { what: 'a leading carriage return', command: "printf '\\rx\\n'", output: 'x\n' },
  {
    what: 'marks of another nonce and of other integrations',
    command:
      "printf '\\033]7133;000000000000000000000000;D;9;1;x;/\\007\\033]133;D;7\\007\\033]633;C\\007x\\n'",
    output: 'x\n',
  },
  {
    what: 'all it knows of us, printed',
    command: {
      bash: 'set; declare -p; echo "$PS1$PS0$PS2"; declare -f; bind -X; echo end; (exit 4)',
      zsh: 'set; typeset; echo "$PS1$PS2"; print -P "$PS1"; functions; bindkey; echo end; (exit 4)',
      fish: 'set; functions __tandem_mark fish_prompt; bind; echo end; sh -c "exit 4"',
    },
    output: /end\n$/,
    code: 4,
  },
  { what: 'an empty line', command: '', output: '' },
  { what: 'a line of blanks', command: '  \n ', output: '' },
  { what: 'a comment', command: '# only a comment', output: '' },
  { what: 'a comment behind a command', command: 'echo a # b', output: 'a\n' },
  {
    what: 'a syntax error',
    command: 'echo first\necho a )',
    output: /^(bash: syntax error|zsh: parse error|fish: Unexpected).*\n(?!first)/,
    code: { bash: 2, zsh: 1, fish: 127 },
  },
  ...[`echo 'open`, 'echo "open', 'echo a\necho "b'].map((command) => ({
    what: `unfinished input ${JSON.stringify(command)}`,
    command,
    output: /incomplete/,
    code: 130,
  })),
  {
    what: 'an unfinished block',
    command: { bash: 'if true; then', zsh: 'if true; then', fish: 'if true' },
    output: /incomplete/,
    code: 130,
  },
  {
    what: 'an unfinished here-document',
    command: { bash: 'cat <<END\nx', zsh: 'cat <<END\nx', fish: noHereDocument },
    output: /incomplete/,
    code: 130,
  },
  {
    what: 'an unknown command',
    command: 'no-such-command-here',
    output: /not found|Unknown/,
    code: 127,
  },
  {
    what: 'history characters',
    command: `echo 'wow! !! !x !$' '^a^b'\necho '!!' a!b`,
    output: 'wow! !! !x !$ ^a^b\n!! a!b\n',
  },
  {
    what: 'quotes and backslashes',
    command: `printf '%s|' 'a"b' "c'd" \\$HOME "e\\\\f"`,
    output: `a"b|c'd|$HOME|e\\f|`,
  },
  {
    what: 'wide and combined characters',
    command: `echo '漢字 é 😀 👩‍👩‍👧'`,
    output: '漢字 é 😀 👩‍👩‍👧\n',
  },
  {
    what: 'control characters in the command',
    command:
      "printf %s '\t\x01\x02\x03\x04\x05\x07\x08\x0b\x0c\x0e\x12\x15\x16\x17\x1a\x1b[A\x1d\x1e\x1f\x7f\r' | od -An -tx1 | tr -d ' \\n'",
    output: '090102030405070' + '80b0c0e12151617' + '1a1b5b411d1e1f7f0d',
  },
  { what: 'colours', command: "printf '\\033[31mred\\033[0m\\n'", output: 'red\n' },
  {
    what: 'a command of 20 KB',
    command: `printf %s '${'x'.repeat(20_000)}' | wc -c`,
    output: /^ *20000\n$/,
  },
  {
    what: 'a command of 300 KB',
    command: `printf %s '${'x\n'.repeat(150_000)}' | wc -c; sh -c 'exit 3'`,
    output: /^ *300000\n$/,
    code: 3,
  },
  {
    what: 'a folder changed in a subshell only',
    command: {
      bash: '(cd /); pwd',
      zsh: '(cd /); pwd',
      fish: { absent: 'fish has no subshells' },
    },
    output: /home\n$/,
  },
  {
    what: 'a background job that goes on',
    command: {
      bash: 'sleep 60 & echo started; kill $!; wait $! 2>/dev/null; true',
      zsh: 'sleep 60 & echo started; kill $!; wait $! 2>/dev/null; true',
      fish: 'sleep 60 &; echo started; kill $last_pid; wait $last_pid 2>/dev/null; true',
    },
    output: /started\n/,
  },
  {
    what: 'a terminal left without echo',
    command: 'stty -echo',
    output: '',
  },
  { what: 'a command after it', command: 'stty echo; echo a', output: 'a\n' },
  { what: 'a terminal left raw', command: 'stty raw', output: '' },
  { what: 'a command after that', command: 'stty sane; echo b', output: /b\n$/ },
]

export function cornersOf(
  shell: ShellName,
): { what: string; command: string; output: string | RegExp; code: number }[] {
  return corners.flatMap(({ what, command, output, code = 0 }) => {
    const own = typeof command === 'string' ? command : command[shell]
    if (typeof own !== 'string') return []
    return [{ what, command: own, output, code: typeof code === 'number' ? code : code[shell] }]
  })
}
