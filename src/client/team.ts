import { routes } from '../protocol/http/routes.ts'
import type { NewRepo, Repo, Task, TaskMove } from '../protocol/http/team.ts'
import { createStore } from './store.ts'
import type { Calls } from './wire/call.ts'

export async function listTeams({ call }: Calls): Promise<readonly string[]> {
  return (await call(routes.teams, {})).teams
}

export const createTeam = ({ call }: Calls, name: string) =>
  call(routes.createTeam, { body: { name } })

/** The folders and tasks that the sessions of a team share. */
export function teamOf({ call }: Calls, team: string) {
  const params = { team }
  return {
    repos: async (): Promise<readonly Repo[]> => (await call(routes.repos, { params })).repos,
    addRepo: (body: NewRepo) => call(routes.addRepo, { params, body }),
    removeRepo: (name: string) => call(routes.removeRepo, { params: { team, name } }),
    tasks: async (): Promise<readonly Task[]> => (await call(routes.tasks, { params })).tasks,
    addTask: (title: string) => call(routes.createTask, { params, body: { title } }),
    moveTask: (id: string, body: TaskMove) => call(routes.moveTask, { params: { team, id }, body }),
  }
}

interface TeamWork {
  repos: readonly Repo[]
  tasks: readonly Task[]
}

/** A team as it is drawn: each change asks for both lists anew. */
export function openTeam(calls: Calls, name: string) {
  const team = teamOf(calls, name)
  const work = createStore<TeamWork>({ repos: [], tasks: [] })
  async function refresh(): Promise<void> {
    const [repos, tasks] = await Promise.all([team.repos(), team.tasks()])
    work.set({ repos, tasks })
  }
  return {
    work,
    refresh,
    /** Resolves when it is done and the lists are new; a no rejects, with the server's words. */
    async change(act: (all: typeof team) => Promise<unknown>) {
      await act(team)
      await refresh()
    },
  }
}

/** The way on from each state of a task; the server says whether it may be gone. */
export const taskMoves: Readonly<
  Record<Task['status'], readonly { label: string; move: TaskMove }[]>
> = {
  open: [{ label: 'Done', move: { action: 'done' } }],
  assigned: [
    { label: 'Hand in', move: { action: 'review' } },
    { label: 'Done', move: { action: 'done' } },
  ],
  review: [{ label: 'Approve', move: { action: 'approve' } }],
  done: [],
}
