import { execFile } from 'node:child_process'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { skillBin, writeSkillProgram } from '../../../src/server/skills/skill-program.ts'
import { tempFolder } from '../../support/temp.ts'

export interface SkillHome {
  /** Holds all of it. */
  root: string
  home: string
  workspace: string
  session: string
  place: { workspace: string; trusted: boolean; env: Record<string, string> }
  write(path: string, text: string): Promise<string>
  /** Writes a sound skill into this folder of skills, which is below the root. */
  addSkill(
    folder: string,
    name: string,
    more?: { description?: string; body?: string },
  ): Promise<string>
  /** The `skill` program as a shell would start it. */
  skill(...words: readonly string[]): Promise<{ code: number; out: string; err: string }>
  trust(trusted: boolean): void
}

export const skillEntry = new URL('../../../dist/skill.js', import.meta.url).pathname

/** A person’s home, a workspace and a session’s folder with the `skill` program in it. */
export async function skillHome({ trusted = true } = {}): Promise<SkillHome> {
  const { path: root, remove } = await tempFolder()
  onTestFinished(remove)
  const [home, workspace, session] = ['home', 'work', 'session'].map((name) => join(root, name))
  if (home === undefined || workspace === undefined || session === undefined) throw new Error('?')
  for (const folder of [home, workspace, session]) await mkdir(folder)
  const place = { workspace, trusted, env: { HOME: home } }
  const trust = (isTrusted: boolean) => {
    place.trusted = isTrusted
    writeSkillProgram({ folder: session, entry: skillEntry, place })
  }
  trust(trusted)
  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
    return join(root, path)
  }
  return {
    root,
    home,
    workspace,
    session,
    place,
    write,
    trust,
    addSkill: (folder, name, { description = `About ${name}.`, body = 'Do it.' } = {}) =>
      write(
        join(folder, name, 'SKILL.md'),
        `---\nname: ${name}\ndescription: ${description}\n---\n\n${body}\n`,
      ),
    skill: (...words) =>
      new Promise((resolve) => {
        const options = { cwd: root, env: { PATH: process.env['PATH'], HOME: root } }
        execFile(join(skillBin(session), 'skill'), words, options, (error, out, err) => {
          const code = error === null ? 0 : Number(error.code)
          resolve({ code, out, err })
        })
      }),
  }
}

/** A skill with a script, as people make them. */
export async function richSkill(made: SkillHome, folder: string, name: string): Promise<string> {
  await made.addSkill(folder, name)
  await made.write(join(folder, name, 'references/deep/more.md'), 'More.\n')
  const script = await made.write(join(folder, name, 'scripts/run.sh'), '#!/bin/sh\necho ran\n')
  await chmod(script, 0o4775)
  return join(made.root, folder, name)
}
