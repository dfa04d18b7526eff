import { type Command, Option } from 'commander'
import { type Act, answering, json } from './act.ts'

const team = () => new Option('--team <team>', 'use this team').default('default')
const load = () => import('./commands/team.ts')

const ofTeam = (parent: Command, name: string, about: string) =>
  parent.command(name).description(about).addOption(team()).addOption(json())

/** Commands for what sessions of a team share: `tandem team`, `repo`, `task`, `trust` and `approval`. */
export function addTeams(program: Command, act: Act): void {
  addTeam(program.command('team').description('list and create teams'), act)
  addRepo(program.command('repo').description('manage the folders that /shell can use'), act)
  addApproval(program.command('approval').description('list and revoke rules'), act)
  addTask(program.command('task').description('manage the tasks of a team'), act)
  program
    .command('trust [folder]')
    .description('use the settings, skills and commands of a folder (default: this one)')
    .option('--revoke', 'stop trusting it')
    .option('--list', 'list the trusted folders')
    .addOption(json())
    .action((folder, options) =>
      act(async (io) => (await load()).trustCommand(io, folder, options)),
    )
}

/** `tandem approval`: the rules that let a model's commands run unasked. */
function addApproval(approval: Command, act: Act): void {
  const load = () => import('./commands/approval.ts')
  answering(approval, 'ls', 'list the rules of this folder')
    .option('--session <id>', 'and those of this session')
    .option('--all', 'of all folders')
    .action((options) => act(async (io) => (await load()).listCommand(io, options)))
  answering(approval, 'rm <rule>', 'revoke a rule: what it let run asks again')
    .option('--session <id>', 'it is a rule of this session')
    .action((rule, options) => act(async (io) => (await load()).removeCommand(io, rule, options)))
}

function addTeam(teams: Command, act: Act): void {
  answering(teams, 'ls', 'list the teams').action((options) =>
    act(async (io) => (await load()).listTeams(io, options)),
  )
  answering(teams, 'create <name>', 'create a team').action((name, options) =>
    act(async (io) => (await load()).createTeam(io, name, options)),
  )
}

function addRepo(repos: Command, act: Act): void {
  ofTeam(repos, 'ls', 'list the repos, the default one first').action((options) =>
    act(async (io) => (await load()).listRepos(io, options)),
  )
  repos
    .command('add <folder>')
    .description('add a folder')
    .option('--name <name>', 'call it this (default: the folder’s name)')
    .addOption(team())
    .addOption(json())
    .action((folder, options) => act(async (io) => (await load()).addRepo(io, folder, options)))
  ofTeam(repos, 'rm <name>', 'remove a repo from the list; its files stay').action(
    (name, options) => act(async (io) => (await load()).removeRepo(io, name, options)),
  )
}

const moves = [
  ['review', 'submit a task for review'],
  ['approve', 'approve a task'],
  ['done', 'mark a task as done'],
] as const

function addTask(tasks: Command, act: Act): void {
  ofTeam(tasks, 'ls', 'list the tasks').action((options) =>
    act(async (io) => (await load()).listTasks(io, options)),
  )
  ofTeam(tasks, 'create <title...>', 'create a task').action((words, options) =>
    act(async (io) => (await load()).createTask(io, words.join(' '), options)),
  )
  ofTeam(tasks, 'assign <task> <name>', 'assign a task to somebody').action((id, to, options) =>
    act(async (io) => (await load()).moveTask(io, { id, move: { action: 'assign', to } }, options)),
  )
  for (const [action, description] of moves)
    ofTeam(tasks, `${action} <task>`, description).action((id, options) =>
      act(async (io) => (await load()).moveTask(io, { id, move: { action } }, options)),
    )
}
