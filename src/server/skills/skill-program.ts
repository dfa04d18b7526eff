import { mkdirSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { readRegular } from '../files/read-regular.ts'
import { replaceFile } from '../files/replace-file.ts'
import { type SkillPlace, writePlace } from '../../skill/skill-folders.ts'

export interface SkillProgram {
  /** The session’s own folder. */
  folder: string
  /** The bundled `skill` program. */
  entry: string
  place: SkillPlace
}

/** The folder that goes first on the search path of this session’s shells. */
export function skillBin(folder: string): string {
  return join(folder, 'bin')
}

/**
 * Puts `skill` into the session’s folder: a launcher, and beside it what the program has to know of
 * the world. To be called when a session is opened, for its shell may be older than this server, and
 * when the trust in its workspace changes: the program reads the file anew at each start.
 */
export function writeSkillProgram({ folder, entry, place }: SkillProgram): void {
  const bin = skillBin(folder)
  mkdirSync(bin, { recursive: true, mode: 0o700 })
  const placeFile = join(folder, 'skill.json')
  keep(placeFile, { text: `${writePlace(place)}\n`, mode: 0o600 })
  const words = [process.execPath, entry, placeFile].map(quote).join(' ')
  keep(join(bin, 'skill'), { text: `#!/bin/sh\nexec ${words} "$@"\n`, mode: 0o700 })
}

/** Not without need: each writing costs. */
function keep(file: string, { text, mode }: { text: string; mode: number }): void {
  if (textOf(file) === text) return
  replaceFile(file, text, { mode })
}

function textOf(file: string): string | null {
  try {
    return readRegular(file)
  } catch {
    return null
  }
}

function quote(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`
}

/** The environment of a one-shot command, with our programs found first. */
export function withSkillBin(
  env: Readonly<Record<string, string>>,
  folder: string,
): Readonly<Record<string, string>> {
  const bin = skillBin(folder)
  return bin.includes(':') ? env : { ...env, PATH: `${bin}:${env['PATH'] ?? defaultPath}` }
}

/** A shell's search path when none is set. */
const defaultPath = '/usr/local/bin:/usr/bin:/bin'

/** The `skill` programs of the sessions that are open here. */
export interface SkillPrograms {
  /** Puts one into a session’s folder; where it is, for the search path of the session’s shells. */
  open(session: { folder: string; workspace: string }): string
  /** The session is not open here any more; its next opening writes what has changed. */
  close(folder: string): void
  /** The trust in some folder has changed; resolves when every program knows. */
  refresh(): Promise<void>
}

export interface SkillProgramsDeps {
  /** The bundled program. */
  entry: string
  env: SkillPlace['env']
  isTrusted(folder: string): Promise<boolean>
  diagnose(message: string, error: unknown): void
}

export function createSkillPrograms({
  entry,
  env,
  isTrusted,
  diagnose,
}: SkillProgramsDeps): SkillPrograms {
  const workspaces = new Map<string, string>()

  /** Before the first shell of a session can ask, unless the workspace’s file system does not answer. */
  async function write(folder: string, workspace: string): Promise<void> {
    const place = { workspace, trusted: await isTrusted(workspace), env }
    // A session that was deleted must not come back.
    if (existsSync(folder)) writeSkillProgram({ folder, entry, place })
    else workspaces.delete(folder)
  }

  return {
    open({ folder, workspace }) {
      workspaces.set(folder, workspace)
      write(folder, workspace).catch((error: unknown) =>
        diagnose(`the skill program could not be written to ${folder}`, error),
      )
      return skillBin(folder)
    },
    close: (folder) => void workspaces.delete(folder),
    async refresh() {
      await Promise.all([...workspaces].map(([folder, workspace]) => write(folder, workspace)))
    },
  }
}
