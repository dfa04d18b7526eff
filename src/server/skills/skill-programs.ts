import { existsSync } from 'node:fs'
import type { SkillPlace } from '../../skill/skill-folders.ts'
import { skillBin, writeSkillProgram } from './skill-program.ts'

/** The `skill` programs of the sessions that are open here. */
export interface SkillPrograms {
  /** Puts one into a session’s folder; where it is, for the search path of the session’s shells. */
  open(session: { folder: string; workspace: string }): string
  /** The session is not open here any more; its next opening writes what has changed. */
  close(folder: string): void
  /** The trust in some folder has changed. */
  refresh(): void
}

export interface SkillProgramsDeps {
  /** The bundled program. */
  entry: string
  env: SkillPlace['env']
  isTrusted(folder: string): boolean
}

export function createSkillPrograms({ entry, env, isTrusted }: SkillProgramsDeps): SkillPrograms {
  const workspaces = new Map<string, string>()

  function write(folder: string, workspace: string): void {
    const place = { workspace, trusted: isTrusted(workspace), env }
    writeSkillProgram({ folder, entry, place })
  }

  return {
    open({ folder, workspace }) {
      workspaces.set(folder, workspace)
      write(folder, workspace)
      return skillBin(folder)
    },
    close: (folder) => void workspaces.delete(folder),
    refresh() {
      for (const [folder, workspace] of workspaces)
        // A session that was deleted must not come back.
        if (existsSync(folder)) write(folder, workspace)
        else workspaces.delete(folder)
    },
  }
}
