import { useCallback, useEffect, useState } from 'react'
import { teamRoutes } from '../../protocol/team-routes.ts'
import type { Repo, Task, TaskMove } from '../../protocol/team.ts'
import { usePage } from '../state/page.ts'
import { complain } from '../state/toasts.ts'

export interface Team {
  repos: readonly Repo[]
  tasks: readonly Task[]
  /** Each resolves when it is done and the lists are new; a no rejects, with the server's words. */
  addRepo(path: string): Promise<void>
  removeRepo(name: string): Promise<void>
  addTask(title: string): Promise<void>
  moveTask(id: string, move: TaskMove): Promise<void>
}

/** What the sessions of a team share. */
export function useTeam(team: string): Team {
  const { client } = usePage()
  const [repos, setRepos] = useState<readonly Repo[]>([])
  const [tasks, setTasks] = useState<readonly Task[]>([])
  const params = { team }
  const refresh = useCallback(async () => {
    const [folders, work] = await Promise.all([
      client.call(teamRoutes.repos, { params: { team } }),
      client.call(teamRoutes.tasks, { params: { team } }),
    ])
    setRepos(folders.repos)
    setTasks(work.tasks)
  }, [client, team])
  useEffect(() => void refresh().catch(complain), [refresh])
  const then = async (asked: Promise<unknown>) => {
    await asked
    await refresh()
  }
  return {
    repos,
    tasks,
    addRepo: (path) => then(client.call(teamRoutes.addRepo, { params, body: { path } })),
    removeRepo: (name) => then(client.call(teamRoutes.removeRepo, { params: { team, name } })),
    addTask: (title) => then(client.call(teamRoutes.createTask, { params, body: { title } })),
    moveTask: (id, body) => then(client.call(teamRoutes.moveTask, { params: { team, id }, body })),
  }
}
