import { z } from 'zod'
import { Rule, RuleId } from '../events/rule.ts'
import { RunId } from '../events/seq.ts'
import { TeamName } from '../events/session.ts'
import { limits } from '../limits.ts'
import { hasField, type Route } from './route.ts'
import {
  NewRepo,
  Repo,
  RepoName,
  ShellAccepted,
  ShellOrder,
  ShellResult,
  Task,
  TaskId,
  TaskMove,
  TaskTitle,
  TrustedFolder,
} from './team.ts'

const OfTeam = z.object({ team: TeamName })
const folder = z.string().min(1).max(4_096)

/** Routes for what the sessions of a team share: folders, tasks, and Delegate’s one-shot commands. */
export const teamRoutes = {
  teams: {
    method: 'GET',
    path: '/teams',
    summary: 'The teams; `default` is always there',
    answer: z.object({ teams: z.array(TeamName) }),
  },
  createTeam: {
    method: 'POST',
    path: '/teams',
    summary: 'Make a team',
    body: z.strictObject({ name: TeamName }),
    status: 201,
    answer: z.object({ name: TeamName }),
  },
  repos: {
    method: 'GET',
    path: '/teams/:team/repos',
    summary: 'The folders that /shell can work in, the default one first',
    params: OfTeam,
    answer: z.object({ repos: z.array(Repo) }),
  },
  addRepo: {
    method: 'POST',
    path: '/teams/:team/repos',
    summary: 'Register a folder',
    params: OfTeam,
    body: NewRepo,
    status: 201,
    answer: Repo,
  },
  removeRepo: {
    method: 'DELETE',
    path: '/teams/:team/repos/:name',
    summary: 'Forget a folder; its files stay',
    params: OfTeam.extend({ name: RepoName }),
    answer: Repo,
  },
  tasks: {
    method: 'GET',
    path: '/teams/:team/tasks',
    summary: 'The tasks, oldest first',
    params: OfTeam,
    answer: z.object({ tasks: z.array(Task) }),
  },
  createTask: {
    method: 'POST',
    path: '/teams/:team/tasks',
    summary: 'Make a task',
    params: OfTeam,
    body: z.strictObject({ title: TaskTitle }),
    status: 201,
    answer: Task,
  },
  moveTask: {
    method: 'POST',
    path: '/teams/:team/tasks/:id',
    summary: 'Assign a task, hand it in for review, approve it or call it done',
    params: OfTeam.extend({ id: TaskId }),
    body: TaskMove,
    answer: Task,
  },
  trusted: {
    method: 'GET',
    path: '/v1/trust',
    summary: 'The folders whose configuration, skills and commands count',
    answer: z.object({ folders: z.array(TrustedFolder) }),
  },
  trust: {
    method: 'POST',
    path: '/v1/trust',
    summary: 'Trust a folder and all in it, or no longer',
    body: z.strictObject({ folder, trusted: z.boolean() }),
    approves: hasField('trusted', true),
    /** The folder with links followed, and whether it is trusted now, be it through a parent. */
    answer: z.object({ folder: z.string(), trusted: z.boolean() }),
  },
  rules: {
    method: 'GET',
    path: '/v1/rules',
    summary: 'The standing yeses of people for a folder, or for all folders',
    query: z.strictObject({ folder: folder.optional() }),
    answer: z.object({ rules: z.array(Rule) }),
  },
  removeRule: {
    method: 'DELETE',
    path: '/v1/rules/:id',
    summary: 'Revoke a standing yes for a folder',
    params: z.object({ id: RuleId }),
    answer: Rule,
  },
  runShell: {
    method: 'POST',
    path: '/teams/:team/shell',
    summary: 'Run a one-shot command in the background',
    params: OfTeam,
    body: ShellOrder,
    bodyBytes: limits.commandBodyBytes,
    status: 202,
    answer: ShellAccepted,
  },
  shellResult: {
    method: 'GET',
    path: '/teams/:team/shell/:id',
    summary: 'How a one-shot command stands, and what it printed',
    params: OfTeam.extend({ id: RunId }),
    answer: ShellResult,
  },
} as const satisfies Record<string, Route>
