import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startShell, text, type TempOptions } from './support/temp-shell.ts'

async function ownShell(options: TempOptions = {}) {
  const own = await startShell(options)
  onTestFinished(() => own.close())
  return own
}

const startFiles = {
  'a DEBUG trap that prints': `trap 'echo debug >&2' DEBUG`,
  'a DEBUG trap with functrace': `set -T; trap 'x=$BASH_COMMAND' DEBUG`,
  'a PROMPT_COMMAND ending in ;': `hook() { :; }; PROMPT_COMMAND='hook;'`,
  'an array of prompt hooks': `a() { A=1; }; b() { B=$?; }; PROMPT_COMMAND=(a b)`,
  'a hook that puts itself first each time': `me() { PROMPT_COMMAND=(me "\${PROMPT_COMMAND[@]/#me/:}"); }; PROMPT_COMMAND=me`,
  'a prompt that rewrites PS1': `PROMPT_COMMAND='PS1="[\\u@\\h \\w]\\n$ "'`,
  'a prompt that grows PS1': `PROMPT_COMMAND='PS1="x$PS1"'`,
  'a PS0 of its own': `PS0='starting\\n'`,
  'vi mode': 'set -o vi',
  'a failing last line': 'false',
  'strict settings': 'set -uo pipefail; set -C',
  'a read-only PROMPT_COMMAND': 'PROMPT_COMMAND=:; readonly PROMPT_COMMAND',
  'functions named like builtins': 'printf() { echo mine; }; history() { :; }; bind() { :; }',
  'aliases of words we use': `alias local='echo no' builtin='echo no' return='echo no' if='echo no'`,
  'an early return': 'return 0',
  'a prompt over many lines with colours': `PS1='\\[\\e[32m\\]\\u\\n\\W\\n\\[\\e[0m\\]$ '`,
  'no bracketed paste': `bind 'set enable-bracketed-paste off'`,
  'history saved at each prompt': `shopt -s histappend; PROMPT_COMMAND='history -a'`,
}

test.each(Object.entries(startFiles))('[TERM70] a run is exact with %s', async (_name, bashrc) => {
  const own = await ownShell({ bashrc })
  for (const code of [0, 3, 0]) {
    const end = await own.run(`printf 'a\\nb' | cat; (exit ${code})`)
    expect(end).toMatchObject({ outcome: 'ended', exitCode: code, cwdAfter: own.home })
    const output = text(end.output).replaceAll('debug\n', '').replace('mine\n', '')
    expect(['a\nb', '']).toContain(output)
  }
  expect(await own.run('cd /tmp; echo "${x-}"')).toMatchObject({ exitCode: 0, cwdAfter: '/tmp' })
  expect(await own.run('echo )')).toMatchObject({ outcome: 'ended', exitCode: 2 })
  expect(await own.run("echo 'open")).toMatchObject({ outcome: 'ended', exitCode: 130 })
})

test("[TERM70] a person's own prompt hooks see the status of their command", async () => {
  const own = await ownShell({ bashrc: 'see() { SEEN=$?; }; PROMPT_COMMAND=see' })
  await own.run('(exit 9)')
  expect(text((await own.run('echo $SEEN')).output)).toBe('9\n')
})

test('[TERM72] injected commands are in the shell history, in order, but never in its file', async () => {
  const own = await ownShell()
  const file = join(own.home, '.bash_history')
  writeFileSync(file, 'old one\n')
  await own.terminal.close()
  expect(await own.terminal.start({ generation: 2, cwd: own.home })).toMatchObject({ ok: true })
  await own.run('echo first')
  await own.run('echo "second !!"', { by: 'person' })
  const listed = text((await own.run('history')).output)
  expect(
    listed
      .trim()
      .split('\n')
      .map((line) => line.trim().replace(/^\d+ +/, '')),
  ).toEqual(['old one', 'echo first', 'echo "second !!"', 'history'])
  await own.run('exit')
  await own.shellEnd
  expect(readFileSync(file, 'utf8')).toBe('old one\n')
})

test("[TERM72] the user's environment and start file are theirs", async () => {
  const own = await ownShell({
    bashrc: 'export FROM_RC=1; umask 027; shopt -s autocd',
    env: { GIVEN: 'a b' },
  })
  const end = await own.run('echo "$FROM_RC $GIVEN $TERM"; umask; env | grep -c __tandem')
  expect(text(end.output)).toMatch(/^1 a b xterm-256color\n0027\n0\n$/)
})
