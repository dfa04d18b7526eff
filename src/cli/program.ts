import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { type Act, json } from './act.ts'
import { exitCode } from './exit-code.ts'
import { helpText } from './help.ts'
import type { Io } from './io.ts'
import { addTeams } from './team-program.ts'
import { parseTime } from '../session/parse-time.ts'

/** Parses the command line, runs what it says and gives the exit code. Never throws. */
export async function runProgram(args: readonly string[], openIo: () => Io): Promise<number> {
  let code: number = exitCode.ok
  const act: Act = async (work) => {
    code = await work(openIo())
  }
  try {
    await buildProgram(act).parseAsync(named(args), { from: 'user' })
    return code
  } catch (error) {
    if (error instanceof CommanderError) return usageProblem(error, args)
    const { problemOf } = await import('./problem.ts')
    const problem = problemOf(error)
    process.stderr.write(`tandem: ${problem.message}\n`)
    return problem.code
  }
}

/** What these say when nothing follows is what there is. */
const lists = new Set(['sessions', 'team', 'repo', 'task'])

/** Flags without a command are those of `-p`, the one thing that needs no name. */
function named(args: readonly string[]): readonly string[] {
  const [first = '', second = '-'] = args
  if (first.startsWith('-')) return ['prompt', ...args]
  const isBare = lists.has(first) && second.startsWith('-') && !/^(-h|--help)$/.test(second)
  return isBare ? [first, 'ls', ...args.slice(1)] : args
}

function usageProblem(error: CommanderError, [command = '']: readonly string[]): number {
  if (error.exitCode === 0) return exitCode.ok
  const sentence =
    error.code === 'commander.help'
      ? `there is more to say after "${command}"`
      : error.message
          .replace(/^error: /, '')
          .replaceAll(/\s+/g, ' ')
          .replace(/\.$/, '')
  const known = buildProgram(async () => {}).commands.some((each) => each.name() === command)
  process.stderr.write(`tandem: ${sentence}. See: tandem ${known ? `${command} ` : ''}--help\n`)
  return exitCode.usage
}

export function buildProgram(act: Act): Command {
  const program = new Command('tandem')
    .enablePositionalOptions()
    .helpCommand(false)
    .exitOverride()
    .configureOutput({ writeErr: () => {}, getOutHelpWidth: () => 79 })
  program.helpInformation = () => helpText
  addPrompt(program, act)
  addServe(program, act)
  addRun(program, act)
  addSessions(program.command('sessions').description('list, show and manage sessions'), act)
  addTeams(program, act)
  addServer(program, act)
  return program
}

function addPrompt(program: Command, act: Act): void {
  program
    .command('prompt', { hidden: true })
    .option('-p, --prompt <text>', 'what to say to the model')
    .option('--continue', 'in the newest session of this folder')
    .option('--session <id>', 'in this session')
    .option('--model <model>', 'provider/name')
    .addOption(
      new Option('--output-format <format>', 'how the turn is told')
        .choices(['text', 'json', 'stream-json'])
        .default('text'),
    )
    .option('--timeout <time>', 'end the turn after this time', time)
    .action((options) =>
      act(async (io) => (await import('./commands/prompt.ts')).promptCommand(io, options)),
    ).helpInformation = () => helpText
}

function addServe(program: Command, act: Act): void {
  program
    .command('serve')
    .description('run the server in the foreground')
    .option('--port <n>', '0 takes any free port', port)
    .option('--replace', 'take over from the server that runs now')
    .option('--model <model>', 'provider/name')
    .option('--shell <path>', 'the shell that sessions start')
    .addOption(new Option('--json', 'print one line: {url, token, pid}'))
    .action((options) =>
      act(async (io) => (await import('./commands/serve.ts')).serveCommand(io, options)),
    )
}

function addRun(program: Command, act: Act): void {
  program
    .command('run')
    .description('run a command in the shared shell and exit as it does')
    .argument('<command...>', 'a command line, or its words after --')
    .option('--session <id>', 'in this session')
    .option('--private', 'never shown to the model')
    .passThroughOptions()
    .action((words, options) =>
      act(async (io) => (await import('./commands/run.ts')).runCommand(io, words, options)),
    )
}

function addSessions(sessions: Command, act: Act): void {
  const load = () => import('./commands/sessions.ts')
  sessions
    .command('ls')
    .description('list sessions')
    .addOption(json())
    .action((options) => act(async (io) => (await load()).listSessions(io, options)))
  sessions
    .command('show <id>')
    .description('a session as text')
    .addOption(json())
    .action((id, options) => act(async (io) => (await load()).showSession(io, id, options)))
  sessions
    .command('rename <id> <title>')
    .description('give a session a title')
    .action((id, title) => act(async (io) => (await load()).renameSession(io, id, title)))
  sessions
    .command('rm <id>')
    .description('delete a session, its log and its shell')
    .option('-y, --yes', 'without asking')
    .action((id, options) => act(async (io) => (await load()).removeSession(io, id, options)))
  sessions
    .command('export <id>')
    .description('the whole session as a document')
    .addOption(
      new Option('--format <format>', 'of the document')
        .choices(['md', 'json', 'jsonl', 'cast', 'html'])
        .default('md'),
    )
    .option('-o, --output <file>', 'write to a file')
    .action((id, options) => act(async (io) => (await load()).exportSession(io, id, options)))
}

function addServer(program: Command, act: Act): void {
  const load = () => import('./commands/server.ts')
  program
    .command('answer <id> <outcome>')
    .description('allow or deny what an ask, or a session, waits for')
    .option('--word <text>', 'what to tell the model with a no')
    .addOption(json())
    .action((id, said, options) => {
      const outcome = outcomeOf(said)
      return act(async (io) =>
        (await import('./commands/answer.ts')).answerCommand(io, { id, outcome }, options),
      )
    })
  program
    .command('models')
    .description('the models there are, and whether they answer')
    .addOption(json())
    .action((options) =>
      act(async (io) => (await import('./commands/models.ts')).modelsCommand(io, options)),
    )
  program
    .command('cache [session]')
    .description('what of each request the model had been sent before')
    .addOption(json())
    .action((id, options) =>
      act(async (io) => (await import('./commands/cache.ts')).cacheCommand(io, id, options)),
    )
  program
    .command('stats')
    .description('how Tandem was used here; it is counted here and stays here')
    .option('--team <team>', 'only sessions of this team')
    .option('--days <n>', 'only the last so many days', days)
    .addOption(json())
    .action((options) =>
      act(async (io) => (await import('./commands/stats.ts')).statsCommand(io, options)),
    )
  program
    .command('web')
    .description('print a new one-time address for a browser')
    .addOption(json())
    .action((options) => act(async (io) => (await load()).webCommand(io, options)))
  program
    .command('token')
    .description('the token that clients need')
    .command('rotate')
    .description('replace it; the old one stops working')
    .action(() => act(async (io) => (await load()).rotateToken(io)))
  program
    .command('stop')
    .description('end the server; shells live on')
    .option('--shells', 'end the shells too')
    .addOption(json())
    .action((options) => act(async (io) => (await load()).stopCommand(io, options)))
}

function outcomeOf(said: string): 'allow' | 'deny' {
  if (said === 'allow' || said === 'deny') return said
  throw new CommanderError(exitCode.usage, 'tandem.outcome', `"${said}" is neither allow nor deny`)
}

function port(text: string): number {
  const value = Number(text)
  if (/^\d+$/.test(text) && value <= 65_535) return value
  throw new InvalidArgumentError('A port is a number from 0 to 65535')
}

function days(text: string): number {
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= 1 && value <= 36_500) return value
  throw new InvalidArgumentError('Give a number of days, at least 1')
}

function time(text: string): number {
  const ms = parseTime(text)
  if (ms !== null) return ms
  throw new InvalidArgumentError('Give a time such as 30s, 5m or 1h')
}
