import type { Refusal } from '../../protocol/refusal.ts'
import type { Result } from '../../protocol/result.ts'
import type { SessionId } from '../../protocol/seq.ts'
import type { NewRepo, Repo, Task, TaskId, TaskMove } from '../../protocol/team.ts'

/**
 * What sessions of a team share. `default` is always there. What is asked of a team that is not
 * gets a refusal, or nothing where there is only a list to give.
 */
export interface Teams {
  /** `default` first, the others by name. */
  list(): readonly string[]
  has(team: string): boolean
  create(team: string): Result<string, Refusal>
  /** The team's own folder in the data folder, made when it is asked for. */
  folder(team: string): string
  /** In the order they were registered: the first is where `/shell` works by default. */
  repos(team: string): readonly Repo[]
  /** The same, and of each whether its folder is there now. */
  seenRepos(team: string): Promise<readonly Repo[]>
  addRepo(team: string, repo: NewRepo): Promise<Result<Repo, Refusal>>
  /** Only forgotten: its files are not touched. */
  removeRepo(team: string, name: string): Result<Repo, Refusal>
  tasks(team: string): readonly Task[]
  task(team: string, id: TaskId): Result<Task, Refusal>
  createTask(team: string, title: string): Result<Task, Refusal>
  moveTask(team: string, id: TaskId, move: TaskMove): Result<Task, Refusal>
  /** Where commands land that name no session; null until there is one. */
  mainSession(team: string): SessionId | null
  setMainSession(team: string, session: SessionId): void
}
