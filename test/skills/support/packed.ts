import { execFileSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { richSkill, skillHome } from './skill-home.ts'

/** Packs the folder `tidy` in this one, and says where. */
export type Maker = (cwd: string) => string

export const run = (cwd: string, file: string, ...args: readonly string[]) =>
  execFileSync(file, args, { cwd, stdio: 'pipe' })

export function made(cwd: string, name: string, make: (to: string) => unknown): string {
  const to = join(cwd, name)
  make(to)
  return to
}

/** The skill is there afterwards, as it was before it was packed. */
export async function expectAdded(make: Maker): Promise<void> {
  const home = await skillHome()
  await richSkill(home, 'source', 'tidy')
  const long = 'a-very-long-name-of-a-folder-in-a-skill/'.repeat(4)
  await home.write(`source/tidy/${long}x.md`, 'x')
  const source = make(join(home.root, 'source'))
  const target = join(home.workspace, '.tandem/skills/tidy')
  expect(await home.skill('add', source)).toEqual({
    code: 0,
    out: `Added tidy (4 files): ${target}\n`,
    err: '',
  })
  run(home.root, 'diff', '-r', 'source/tidy', target)
  expect((await home.skill('list')).out).toBe('- tidy\n')
  // Its owner may run it, and nobody as its owner.
  expect(statSync(join(target, 'scripts/run.sh')).mode & 0o7711).toBe(0o700)
  expect(statSync(join(target, 'SKILL.md')).mode & 0o7711).toBe(0o600)
  expect(readdirSync(join(home.workspace, '.tandem/skills'))).toEqual(['tidy'])
}
