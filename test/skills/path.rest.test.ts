// needs: zsh fish
import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { ShellName } from '../../src/protocol/events/shell.ts'
import { createOneShots } from '../../src/server/one-shot/one-shots.ts'
import { createSlots } from '../../src/server/one-shot/slots.ts'
import { skillBin, withSkillBin } from '../../src/server/skills/skill-program.ts'
import { writeHome } from '../shells/support/shell-home.ts'
import { startFileOf } from '../shells/support/start-files.ts'
import { makeTerminal, runOf, text } from '../terminal/support/temp-shell.ts'
import { type SkillHome, skillHome } from './support/skill-home.ts'

const shells: readonly ShellName[] = ['bash', 'zsh', 'fish']

async function startShell(made: SkillHome, shell: ShellName, startFile: string) {
  // A program of this name that is there already, as Debian has one.
  const theirs = await made.write('theirs/skill', '#!/bin/sh\necho not ours\n')
  chmodSync(theirs, 0o755)
  const terminal = await makeTerminal({
    shell,
    env: { PATH: `${join(made.root, 'theirs')}:/usr/bin:/bin` },
    terminal: { bin: skillBin(made.session) },
  })
  onTestFinished(terminal.close)
  if (startFile !== '') writeHome(terminal.home, startFileOf[shell], `${startFile}\n`)
  mkdirSync(join(terminal.home, '.local/share/fish/generated_completions'), { recursive: true })
  const started = await terminal.terminal.start({ generation: 1, cwd: terminal.home })
  if (!started.ok) throw new Error(started.error)
  return async (command: string) => {
    const { run, watch } = runOf(command)
    return text((await terminal.terminal.run(run, watch)).output)
  }
}

const resets: Readonly<Record<ShellName, string>> = {
  bash: 'export PATH=/usr/bin:/bin; hash -p /usr/bin/skill skill; alias unset=false',
  zsh: 'path=(/usr/bin /bin); typeset -U path; hash skill=/usr/bin/skill',
  fish: 'set -gx PATH /usr/bin /bin',
}

test.each(shells)(
  '[SKILL25] in %s `skill list` is ours, though another program has that name',
  async (shell) => {
    const made = await skillHome()
    await made.addSkill('work/.claude/skills', 'javascript-variable-scope')
    await made.addSkill('home/.claude/skills', 'claude-code-skills')
    const output = await startShell(made, shell, '')
    expect(await output('skill list')).toBe('- claude-code-skills\n- javascript-variable-scope\n')
    expect(await output('sh -c "skill list"')).toBe(
      '- claude-code-skills\n- javascript-variable-scope\n',
    )
  },
)

test.each(shells)(
  '[SKILL25] in %s it stays so when a start file sets the search path anew',
  async (shell) => {
    const made = await skillHome()
    await made.addSkill('work/.claude/skills', 'tidy')
    const output = await startShell(made, shell, resets[shell])
    expect(await output('skill list')).toBe('- tidy\n')
    const path = await output('sh -c \'echo "$PATH"\'')
    expect(path).toBe(`${skillBin(made.session)}:/usr/bin:/bin\n`)
  },
)

const shown: Readonly<Record<ShellName, string>> = {
  bash: 'set; declare -F; env',
  zsh: 'set; functions; env',
  fish: 'set; functions --all; env',
}

test.each(shells)(
  '[SKILL25] in %s nothing but the search path tells of it, and not for a session without',
  async (shell) => {
    const made = await skillHome()
    const output = await startShell(made, shell, '')
    const told = (await output(shown[shell]))
      .split('\n')
      .filter((line) => line.includes(made.session))
    // zsh and fish show it as a list as well, and a shell keeps the last command.
    expect(told.every((line) => /^(?:PATH|path)\b/.test(line))).toBe(true)
    expect(told.length).toBeGreaterThan(0)
    expect(await output(shown[shell])).not.toMatch(/^__tandem_bin\b/m)
  },
)

test.each(shells)('[SKILL25] a one-shot command of %s finds it, too', async (shell) => {
  const made = await skillHome()
  await made.addSkill('work/.claude/skills', 'tidy')
  const oneShots = createOneShots({
    folder: made.session,
    workspace: made.workspace,
    shell,
    env: withSkillBin({ PATH: '/usr/bin:/bin', HOME: made.home }, made.session),
    slots: createSlots(1),
    limit: (file, args) => ({ file, args, cgroup: null }),
    diagnose: () => undefined,
  })
  const { run, watch } = runOf('skill list')
  const end = await oneShots.run({ ...run, cwd: null }, watch)
  expect(end).toMatchObject({ exitCode: 0 })
  expect(text(end.output)).toBe('- tidy\n')
  expect(withSkillBin({ PATH: '/bin' }, '/a:b')).toEqual({ PATH: '/bin' })
})

test.each(shells)(
  '[SKILL25] in %s a search path that may not be changed is left alone',
  async (shell) => {
    const lock = { bash: 'readonly PATH', zsh: 'typeset -r PATH', fish: 'set -e PATH[1]' }
    const made = await skillHome()
    const output = await startShell(made, shell, lock[shell])
    expect(await output('echo fine')).toBe('fine\n')
  },
)
