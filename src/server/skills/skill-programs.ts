import { existsSync } from 'node:fs'
import type { SkillPlace } from '../../skill/skill-folders.ts'
import { skillBin, writeSkillProgram } from './skill-program.ts'

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
