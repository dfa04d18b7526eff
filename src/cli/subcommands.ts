import { type Command, Option, CommanderError, InvalidArgumentError } from 'commander'
import { type Act, answering, json } from './act.ts'
import type { AskScope } from '../protocol/events/ask.ts'
import { exitCode } from './exit-code.ts'
import { parseTime } from '../base/parse-time.ts'

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

/** `tandem answer` and its flags. */
export function addAnswer(program: Command, act: Act): void {
  program
    .command('answer <id> <outcome>')
    .description('answer an open question, by its id or its session’s')
    .option('--word <text>', 'with deny: tell the model this')
    .addOption(scope())
    .option('--command <text>', 'with allow: run this instead')
    .addOption(json())
    .action((id, said, options) => {
      const outcome = outcomeOf(said)
      return act(async (io) =>
        (await import('./commands/answer.ts')).answerCommand(io, { id, outcome }, options),
      )
    })
}

const scopes = [
  'once',
  'reply',
  'session',
  'folder',
  'shell',
] as const satisfies readonly AskScope[]

function scope() {
  const about = 'with allow: the commands it counts for (default: once)'
  return new Option('--scope <what>', about).choices(scopes)
}

function outcomeOf(said: string): 'allow' | 'deny' {
  if (said === 'allow' || said === 'deny') return said
  throw new CommanderError(exitCode.usage, 'tandem.outcome', `"${said}" is neither allow nor deny`)
}

/** `tandem audit` and its flags. */
export function addAudit(program: Command, act: Act): void {
  program
    .command('audit')
    .description('list who proposed, answered and ran which command, and why it could')
    .option('--session <id>', 'only of this session')
    .option('--since <when>', 'a time ago (30m, 2h) or a date (2026-01-31)', moment)
    .option('--proposed', 'only what the model proposed')
    .option('--asked', 'only questions')
    .option('--answered', 'only answers')
    .option('--ran', 'only what ran')
    .option('--denied', 'only what was denied')
    .option('--skipped', 'only what did not come to run')
    .option('--revoked', 'only yeses that were taken back')
    .addOption(json())
    .option('--jsonl', 'print a JSON object a line')
    .action((options) =>
      act(async (io) => (await import('./commands/audit.ts')).auditCommand(io, options)),
    )
}

/** A time ago, or a date. */
function moment(text: string): number {
  const days = /^(\d{1,5})d$/.exec(text)?.[1]
  const ago = days === undefined ? parseTime(/[a-z]$/.test(text) ? text : '') : Number(days) * dayMs
  const at = ago === null ? Date.parse(/^\d{4}-\d\d-\d\d/.test(text) ? text : '') : Date.now() - ago
  if (!Number.isNaN(at)) return at
  throw new InvalidArgumentError('Give a time such as 30m, 2h or 7d, or a date such as 2026-01-31')
}

const dayMs = 24 * 3_600_000

/** `tandem models` and what changes which there are. */
export function addModels(program: Command, act: Act): void {
  const load = () => import('./commands/models.ts')
  const models = program.command('models').description('list the models, or add one with its key')
  answering(models, 'ls', 'list the models, and check that they answer').action((options) =>
    act(async (io) => (await load()).modelsCommand(io, options)),
  )
  models
    .command('add <name>')
    .description('add a provider; its key is asked for, or read from stdin')
    .option('--url <address>', 'its address, up to /v1')
    .option('--model <model>', 'a model of it, where it does not list them')
    .addOption(
      new Option('--wire <protocol>', 'the protocol that it speaks').choices([
        'openai-chat',
        'openai-responses',
        'anthropic',
        'gemini',
      ]),
    )
    .option('--force', 'keep it though the test call fails')
    .action((name, options) => act(async (io) => (await load()).addModel(io, name, options)))
  models
    .command('test <name>')
    .description('make a test call')
    .action((name) => act(async (io) => (await load()).testModel(io, name)))
  models
    .command('rm <name>')
    .description('forget a provider that was added, and its key')
    .action((name) => act(async (io) => (await load()).removeModel(io, name)))
}
