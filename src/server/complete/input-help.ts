import type { ModelInfo } from '../../protocol/http/server-routes.ts'
import type { Event } from '../../protocol/events/event.ts'
import type { SessionId } from '../../protocol/events/seq.ts'
import type { ShellName } from '../../protocol/events/shell.ts'
import type { Task } from '../../protocol/http/team.ts'
import type { SessionState } from '../../log/state.ts'
import type { World } from '../../session/catalogue.ts'
import { createHistory } from '../history/history.ts'
import type { SessionHost } from '../session/host.ts'
import type { LookAt } from '../looker/ops.ts'
import type { Models } from '../model/models.ts'
import type { EventStore } from '../store/store.ts'
import { createCompleter } from './completer.ts'
import { createFileIndex } from './file-index.ts'
import type { CompleterDeps } from './source.ts'
import { refused } from '../../base/result.ts'
import type { ShellNames } from '../terminal/shell/ask-state.ts'
import type { SecretAsked } from '../terminal/shell/session.ts'

/** The names of models as `/model` takes them. */
async function namesOf(list: Promise<readonly ModelInfo[]>): Promise<readonly string[]> {
  const providers = await list.catch(() => [])
  return providers.filter(({ reachable }) => reachable).flatMap(({ models }) => models)
}

/** A session as those who help to type into it see it. */
export interface HelpedSession {
  team: string
  workspace: string
  /** The shell’s folder; null while there is none. */
  cwd(): string | null
  names(): Promise<ShellNames | null>
  world(): Promise<World>
  /** Whether a secret is asked for now; null: none is. */
  secretAsked(): Promise<SecretAsked | null>
}

/** Completion, history and commands for every session; what is worth keeping, they share. */
export interface InputHelp {
  open(session: HelpedSession): Pick<SessionHost, 'complete' | 'history' | 'commands'>
  /** Whom to tell when events of a session were stored; nobody, until somebody was helped. */
  readonly listeners: ReadonlySet<StoredListener>
  forget(session: SessionId): void
}

/** Events of a session were stored after this state. */
export type StoredListener = (
  session: SessionId,
  before: SessionState,
  events: readonly Event[],
) => void

export interface InputHelpDeps {
  store: Pick<EventStore, 'inputs'>
  models: Pick<Models, 'list'>
  tasks(team: string): readonly Task[]
  shell: ShellName
  /** The environment that a shell starts with. */
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
  const programs: CompleterDeps['programs'] = async (query) => {
    const looked = await look('programs', query)
    return looked.ok ? looked.value : []
  }
  const modelNames = () => namesOf(models.list())
  /** History and file index are kept up to date, once there is anything. */
  const listeners = new Set<StoredListener>()
  const stored: StoredListener = (session, before, events) => {
    const { team, workspace, private: isPrivate, isAttended } = before
    history.note({ team, session, events, isPrivate, isAttended })
    if (events.some(({ type }) => type === 'run_end')) files.touch(workspace)
  }
  return {
    open({ team, workspace, cwd, names, world, secretAsked }) {
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
        programs,
        paths,
      })
      return {
        commands: completer.commands,
        async complete(query, options) {
          listeners.add(stored)
          // The line may be the secret itself: nobody looks for anything with it.
          if ((await secretAsked()) !== null)
            return { from: query.cursor, to: query.cursor, items: [] }
          return completer.complete(query, options)
        },
        history(query) {
          listeners.add(stored)
          return history.find(team, query)
        },
      }
    },
    listeners,
    forget: history.forget,
  }
}
