import { type Command, Option } from 'commander'
import { type Act, json } from './act.ts'

const team = () => new Option('--team <team>', 'of this team').default('default')

/** What sessions of a team share: `tandem team`, `repo`, `task` and `trust`. */
export function addTeams(program: Command, act: Act): void {
  addTeam(program.command('team').description('the teams'), act)
  addRepo(program.command('repo').description('the folders that /shell works in'), act)
  addTask(program.command('task').description('the tasks of a team'), act)
  program
    .command('trust [folder]')
    .description('let the files of a folder have a say; default: this one')
    .option('--revoke', 'no longer')
    .option('--list', 'which folders are trusted')
    .addOption(json())
    .action((folder, options) =>
      act(async (io) => (await import('./commands/trust.ts')).trustCommand(io, folder, options)),
    )
}

function addTeam(teams: Command, act: Act): void {
  const load = () => import('./commands/team.ts')
  teams
    .command('ls')
    .description('list the teams')
    .addOption(json())
    .action((options) => act(async (io) => (await load()).listTeams(io, options)))
  teams
    .command('create <name>')
    .description('make a team')
    .addOption(json())
    .action((name, options) => act(async (io) => (await load()).createTeam(io, name, options)))
}

function addRepo(repos: Command, act: Act): void {
  const load = () => import('./commands/repo.ts')
  repos
    .command('ls')
    .description('list the repos, the default one first')
    .addOption(team())
    .addOption(json())
    .action((options) => act(async (io) => (await load()).listRepos(io, options)))
  repos
    .command('add <folder>')
    .description('register a folder')
    .option('--name <name>', 'default: the folder’s own')
    .addOption(team())
    .addOption(json())
    .action((folder, options) => act(async (io) => (await load()).addRepo(io, folder, options)))
  repos
    .command('rm <name>')
    .description('forget a repo; its files stay')
    .addOption(team())
    .addOption(json())
    .action((name, options) => act(async (io) => (await load()).removeRepo(io, name, options)))
}

const moves = [
  ['review', 'hand a task in for review'],
  ['approve', 'approve a task'],
  ['done', 'call a task done'],
] as const

function addTask(tasks: Command, act: Act): void {
  const load = () => import('./commands/task.ts')
  tasks
    .command('ls')
    .description('list the tasks')
    .addOption(team())
    .addOption(json())
    .action((options) => act(async (io) => (await load()).listTasks(io, options)))
  tasks
    .command('create <title...>')
    .description('make a task')
    .addOption(team())
    .addOption(json())
    .action((words, options) =>
      act(async (io) => (await load()).createTask(io, words.join(' '), options)),
    )
  tasks
    .command('assign <task> <name>')
    .description('give a task to somebody')
    .addOption(team())
    .addOption(json())
    .action((id, to, options) =>
      act(async (io) =>
        (await load()).moveTask(io, { id, move: { action: 'assign', to } }, options),
      ),
    )
  for (const [action, description] of moves)
    tasks
      .command(`${action} <task>`)
      .description(description)
      .addOption(team())
      .addOption(json())
      .action((id, options) =>
        act(async (io) => (await load()).moveTask(io, { id, move: { action } }, options)),
      )
}
