import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startShell, text, type TempShell } from './support/temp-shell.ts'

let shell: TempShell
beforeAll(async () => {
  shell = await startShell()
})
afterAll(() => shell.close())

async function output(command: string): Promise<string> {
  return text((await shell.run(command)).output)
}

describe('a run', () => {
  test('[TERM1] gives exact output, exit code, folder and byte range, without echo and prompt', async () => {
    const end = await shell.run('echo hello; false')
    expect(end).toMatchObject({
      outcome: 'ended',
      exitCode: 1,
      signal: null,
      bytes: 7,
      omitted: 0,
      cwdAfter: shell.home,
      output: { head: 'hello\n', tail: '', omittedChars: 0 },
    })
    const range = { from: end.ptyFrom ?? 0, to: end.ptyTo ?? 0 }
    expect(String((await shell.terminal.readOutput(range)).bytes)).toBe('hello\r\n')
  })

  test('[TERM2] leaves folder, variables, aliases and functions for the next one', async () => {
    await shell.run('cd /tmp; export SEEN=yes; alias greet="echo hi"; twice() { "$@"; "$@"; }')
    expect(shell.terminal.cwd()).toBe('/tmp')
    expect(await output('pwd; printenv SEEN; greet; twice echo x')).toBe('/tmp\nyes\nhi\nx\nx\n')
    await shell.run('cd')
  })

  test.each([
    ['a pipe', 'printf "b\\na\\n" | sort | tr a-z A-Z', 'A\nB\n'],
    ['several lines', 'echo one\necho two\necho three', 'one\ntwo\nthree\n'],
    ['a here-document', 'cat <<END\na $((1 + 1))\n  b\nEND\necho after', 'a 2\n  b\nafter\n'],
    ['an alias for a later line', 'alias hey="echo hey"\nhey', 'hey\n'],
    ['the status of the run before', 'echo $?\necho $?', '0\n0\n'],
    ['a loop over lines', 'for i in 1 2 3\ndo\n  echo "n$i"\ndone', 'n1\nn2\nn3\n'],
    ['a line that reads nothing of the next', 'read -t 0 x; echo "[$x]"\necho next', '[]\nnext\n'],
    ['no final newline', 'printf abc', 'abc'],
    ['history characters', 'echo "wow! !! !x" \'!$\' "a!b"', 'wow! !! !x !$ a!b\n'],
    ['history characters in a later line', 'echo a\necho "!! b!c"', 'a\n!! b!c\n'],
    [
      'quotes, dollars and backslashes',
      `echo 'a"b' "c'd" \\$HOME '\\n' $'\\x41'`,
      `a"b c'd $HOME \\n A\n`,
    ],
    ['wide and combined characters', 'echo "漢字 é 😀 👩‍👩‍👧"', '漢字 é 😀 👩‍👩‍👧\n'],
    ['a tab in the command', "echo 'a\tb' | od -An -c | tr -d ' \\n'", 'a\\tb\\n'],
    [
      'control characters in the command',
      "printf %s '\x01\x02\x03\x04\x05\x07\x08\x0b\x0c\x0e\x12\x15\x16\x17\x1a\x1b[A\x7f' | od -An -tx1 | tr -d ' \\n'",
      '01020304050708' + '0b0c0e12151617' + '1a1b5b417f',
    ],
    ['a carriage return in the command', "printf %s 'a\rb' | od -An -c | tr -d ' \\n'", 'a\\rb'],
    ['a trailing newline', 'echo x\n', 'x\n'],
    ['colours', 'printf "\\033[31mred\\033[0m\\n"', 'red\n'],
    ['what other integrations print', 'printf "\\033]133;D;7\\007\\033]633;C\\007x\\n"', 'x\n'],
  ])('[TERM1] takes and gives exactly: %s', async (_case, command, expected) => {
    const end = await shell.run(command)
    expect([text(end.output), end.outcome]).toEqual([expected, 'ended'])
  })

  test('[TERM1] reports every exit code', async () => {
    const codes: (number | null)[] = []
    for (let code = 0; code < 256; code += 1) {
      codes.push((await shell.run(`(exit ${code})`)).exitCode)
    }
    expect(codes).toEqual(Array.from({ length: 256 }, (_, code) => code))
  })

  test('[TERM2] keeps order and results apart over 200 runs back to back', async () => {
    const seen: string[] = []
    for (let n = 0; n < 200; n += 1) seen.push(await output(`echo n${n}`))
    expect(seen).toEqual(Array.from({ length: 200 }, (_, n) => `n${n}\n`))
  })

  test.each([
    'plain',
    'with space',
    'semi;colon',
    'quote\'and"double',
    'back\\slash',
    'new\nline',
    'bell\x07esc\x1b',
    'ünï漢😀',
    '$(dollar) `tick`',
    '%percent',
    'q',
  ])('[TERM1] knows the folder it ends in: %j', async (name) => {
    const folder = join(shell.home, name)
    mkdirSync(folder)
    const end = await shell.run(`cd ~/"$(printf %b '${octal(name)}')"`)
    expect([end.exitCode, end.cwdAfter]).toEqual([0, folder])
    expect(shell.terminal.cwd()).toBe(folder)
    await shell.run('cd')
  })

  test('[TERM7] does not take marks in its output, or a copy of its prompt, for an end', async () => {
    const forged = 'printf "\\033]7133;000000000000000000000000;D;9;1;x;/\\007"; echo still'
    const end = await shell.run(forged)
    expect(end).toMatchObject({ exitCode: 0, bytes: 42 + 'still\r\n'.length })
    expect(await output('echo "$PS1$PS0"; set | grep -c tandem; declare -p PS1; echo end')).toMatch(
      /end\n$/,
    )
    expect(await output('echo "${PS1@P}"; echo end; (exit 4)')).toMatch(/end\n$/)
  })

  test('[TERM1] takes commands of 20 KB and 300 KB', async () => {
    for (const size of [20_000, 300_000]) {
      const end = await shell.run(`wc -c <<'END'\n${'x'.repeat(size)}\nEND\n(exit 3)`)
      expect([text(end.output).trim(), end.exitCode]).toEqual([String(size + 1), 3])
    }
  })

  test('[TERM1] takes half a million line ends', async () => {
    const end = await shell.run(`printf %s '${'\n'.repeat(500_000)}x' | wc -l`)
    expect(text(end.output).trim()).toBe('500000')
  })

  test('[TERM9] with a NUL character is not started', async () => {
    const end = await shell.run('echo a\0b')
    expect(end).toMatchObject({ outcome: 'not_started', exitCode: null, bytes: 0, ptyFrom: null })
    expect(await output('echo next')).toBe('next\n')
  })

  test('[TERM9] ends though nothing is executed: empty and comment are code 0', async () => {
    await shell.run('(exit 2)')
    for (const command of ['', '   ', '# only a comment', '\n\n']) {
      const end = await shell.run(command)
      expect(end).toMatchObject({ outcome: 'ended', exitCode: 0, output: { head: '' } })
    }
  })

  test('[TERM9] with a syntax error has code 2 and the message as its output', async () => {
    const end = await shell.run('echo a )')
    expect(end).toMatchObject({ outcome: 'ended', exitCode: 2 })
    expect(text(end.output)).toMatch(/^bash: syntax error near unexpected token `\)'\n/)
    const later = await shell.run('echo first\necho a )')
    expect(later).toMatchObject({ outcome: 'ended', exitCode: 2 })
    expect(text(later.output)).toMatch(/^bash: syntax error/)
  })

  test.each([
    `echo 'open`,
    'echo "open',
    'if true; then',
    'cat <<END\nx',
    'echo $(',
    'echo a\necho "b',
  ])('[TERM9] that is incomplete ends and says so: %j', async (command) => {
    const end = await shell.run(command)
    expect(end).toMatchObject({ outcome: 'ended', exitCode: 130 })
    expect(text(end.output)).toContain('incomplete')
    expect(await output('echo next')).toBe('next\n')
  })

  test('[TERM1] has the time between its marks as its duration', async () => {
    const { durationMs } = await shell.run('sleep 0.2')
    expect(durationMs).toBeGreaterThanOrEqual(195)
    expect(durationMs).toBeLessThan(2000)
  })

  test('[TERM14] of the model has no pager, one of a person has theirs, and both find theirs after', async () => {
    await shell.run('export PAGER=less; MANPAGER=mine', { by: 'person' })
    expect(await output('echo $PAGER $GIT_PAGER; printenv MANPAGER')).toBe('cat cat\ncat\n')
    const person = await shell.run('echo $PAGER ${GIT_PAGER-none} $MANPAGER; printenv MANPAGER', {
      by: 'person',
    })
    expect(text(person.output)).toBe('less none mine\n')
    await shell.run('export GIT_PAGER=delta')
    expect(text((await shell.run('echo $GIT_PAGER', { by: 'person' })).output)).toBe('delta\n')
    await shell.run('unset PAGER GIT_PAGER MANPAGER')
  })

  test('[TERM15] works after a command left the terminal without echo, or raw', async () => {
    await shell.run('stty -echo')
    expect(await output('echo a')).toBe('a\n')
    await shell.run('stty raw')
    expect(await output('echo b')).toBe('b\n')
    await shell.run('stty sane')
  })

  test('[TERM15] ends while a background job goes on', async () => {
    const end = await shell.run('sleep 60 & echo started')
    expect(text(end.output)).toMatch(/started\n$/)
    expect(await output('jobs -r | wc -l; kill %1; wait 2>/dev/null')).toMatch(/^1\n/)
  })

  test.each([
    'set -x',
    'set -u',
    'set -C',
    'set -o posix',
    'set -o vi',
    'IFS=x7',
    'exec 3>&1',
    'shopt -u promptvars',
    'shopt -s nocasematch',
    'trap "echo err" ERR',
    'set -T',
  ])('[TERM15] works under %s', async (setting) => {
    const own = await ownShell()
    await own.run(setting)
    expect(await own.run('echo out; (exit 7)')).toMatchObject({ exitCode: 7, cwdAfter: own.home })
    const again = await own.run('printf done')
    expect([text(again.output).endsWith('done'), again.exitCode]).toEqual([true, 0])
  })

  test.each([
    ['unset PROMPT_COMMAND', 5],
    ['PS1=', 5],
    ['unset PS0', 5],
    ["unset PROMPT_COMMAND; PS1='$ '; PS0=", null],
    ['exec 2>/dev/null', 5],
    ['exec >/dev/null', 5],
  ])('[TERM7] ends though marks are lost: %s', async (sabotage, code) => {
    const own = await ownShell()
    expect(await own.run(`${sabotage}; (exit 5)`)).toMatchObject({
      outcome: 'ended',
      exitCode: code,
    })
    expect(await own.run('(exit 6)')).toMatchObject({ outcome: 'ended', exitCode: 6 })
    expect(await own.run('(exit 7)')).toMatchObject({ outcome: 'ended', exitCode: 7 })
  })

  test('[TERM19] streams its output with colours while it goes on', async () => {
    let seen = ''
    const { promise, resolve } = deferred()
    const end = shell.run('printf "\\033[1mgo\\033[0m\\n"; read -r line; echo "got $line"', {
      onOutput(more) {
        seen += more
        if (seen.includes('go')) resolve()
      },
    })
    await promise
    expect(seen).toBe('\x1b[1mgo\x1b[0m\r\n')
    await shell.terminal.interrupt('int')
    expect(await end).toMatchObject({ outcome: 'ended', exitCode: 130 })
  })
})

async function ownShell(): Promise<TempShell> {
  const own = await startShell()
  onTestFinished(() => own.close())
  return own
}

function deferred() {
  let resolve: () => void = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

function octal(name: string): string {
  return [...Buffer.from(name)].map((byte) => `\\0${byte.toString(8).padStart(3, '0')}`).join('')
}
