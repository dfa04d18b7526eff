import type { Event } from '../../protocol/event.ts'
import type { SessionId } from '../../protocol/seq.ts'
import type { ShellName } from '../../protocol/shell.ts'
import type { Task } from '../../protocol/team.ts'
import type { SessionState } from '../../log/state.ts'
import type { World } from '../../session/catalogue.ts'
import { createHistory } from '../history/history.ts'
import type { SessionHost } from '../host.ts'
import type { LookAt } from '../looker/ops.ts'
import type { Models } from '../model/models.ts'
import type { EventStore } from '../store/store.ts'
import { createCompleter } from './completer.ts'
import { createFileIndex } from './file-index.ts'
import type { CompleterDeps } from './source.ts'
import { createModelNames } from './model-names.ts'
import type { Programs } from './programs.ts'
import { refused } from '../../protocol/result.ts'
import type { ShellNames } from '../terminal/shell-names.ts'

/** A session as those who help to type into it see it. */
export interface HelpedSession {
  team: string
  workspace: string
  /** The shell’s folder; null while there is none. */
  cwd(): string | null
  names(): Promise<ShellNames | null>
  world(): Promise<World>
}

/** Completion, history and commands for every session; what is worth keeping, they share. */
export interface InputHelp {
  open(session: HelpedSession): Pick<SessionHost, 'complete' | 'history' | 'commands'>
  /** Events of a session were stored after this state. */
  stored(session: SessionId, before: SessionState, events: readonly Event[]): void
  forget(session: SessionId): void
}

export interface InputHelpDeps {
  store: Pick<EventStore, 'inputs'>
  models: Pick<Models, 'list'>
  tasks(team: string): readonly Task[]
  shell: ShellName
  /** What a shell starts with. */
  env: Readonly<Record<string, string>>
  look: LookAt
}

export function createInputHelp(deps: InputHelpDeps): InputHelp {
  const { store, models, tasks, shell, env, look } = deps
  const history = createHistory(store)
  const now = () => performance.now()
  const files = createFileIndex({
    async list(folder, { limit }) {
      const looked = await look('list', { folder, limit })
      return looked.ok ? looked.value : refused(looked.error)
    },
    now,
  })
  const paths: CompleterDeps['paths'] = async (query) => {
    const looked = await look('paths', query)
    return looked.ok ? looked.value : []
  }
  const modelNames = createModelNames(models.list, now)
  return {
    open({ team, workspace, cwd, names, world }) {
      const completer = createCompleter({
        place: () => ({ workspace, cwd: cwd(), shell }),
        env,
        world,
        models: modelNames,
        tasks: async () => tasks(team),
        names,
        past: (kind) => history.past(team, kind),
        used: () => history.programs(team),
        files,
        programs: {
          async find({ text, path, limit }) {
            const weights = Object.fromEntries(await history.programs(team))
            const looked = await look('programs', { text, path, limit, weights })
            return looked.ok ? looked.value : []
          },
        } satisfies Programs,
        paths,
      })
      return { ...completer, history: (query) => history.find(team, query) }
    },
    stored(session, { team, workspace, private: isPrivate, approval }, events) {
      const isAttended = approval !== 'refuse'
      history.note({ team, session, events, isPrivate, isAttended })
      if (events.some(({ type }) => type === 'run_end')) files.touch(workspace)
    },
    forget: history.forget,
  }
}
