import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { type Act, answering, json } from './act.ts'
import { complain } from './complain.ts'
import { exitCode } from './exit-code.ts'
import { helpText } from './help.ts'
import type { Io } from './io.ts'
import { addTeams, addAnswer, addAudit, addModels } from './subcommands.ts'
import { parseTime } from '../base/parse-time.ts'

/** Parses the command line, runs what it says and gives the exit code. Never throws. */
export async function runProgram(args: readonly string[], openIo: () => Io): Promise<number> {
  let code: number = exitCode.ok
  const act: Act = async (work) => {
    code = (await work(openIo())) ?? exitCode.ok
  }
  try {
    await buildProgram(act).parseAsync(named(args), { from: 'user' })
    return code
  } catch (error) {
    if (error instanceof CommanderError) return usageProblem(error, args)
    const { problemOf } = await import('./problem.ts')
    const problem = problemOf(error)
    complain(problem.message)
    return problem.code
  }
}

/** These commands list what there is when nothing follows. */
const lists = new Set(['sessions', 'team', 'repo', 'task', 'approval', 'models'])

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
      ? `"${command}" needs a subcommand`
      : error.message
          .replace(/^error: /, '')
          .trim()
          .replace(/\.$/, '')
  const known = buildProgram(async () => {}).commands.some((each) => each.name() === command)
  complain(`${sentence}. See: tandem ${known ? `${command} ` : ''}--help`)
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

const notSecretHelp = 'send it though a program seems to ask for a password'

function addPrompt(program: Command, act: Act): void {
  program
    .command('prompt', { hidden: true })
    .option('-p, --prompt <text>', 'say this to the model')
    .option('--continue', 'continue the newest session of this folder')
    .option('--session <id>', 'use this session')
    .option('--model <model>', 'provider/name')
    .addOption(
      new Option('--output-format <format>', 'how to print the turn')
        .choices(['text', 'json', 'stream-json'])
        .default('text'),
    )
    .option('--timeout <time>', 'end the turn after this time', time)
    .option('--raw', 'in a pipe, keep control characters as they came')
    .option('--not-secret', notSecretHelp)
    .action((options) =>
      act(async (io) => (await import('./commands/prompt.ts')).promptCommand(io, options)),
    ).helpInformation = () => helpText
}

function addServe(program: Command, act: Act): void {
  program
    .command('serve')
    .description('run the server in the foreground')
    .option('--port <n>', 'listen on this port; 0 means any free port', port)
    .option('--replace', 'replace the running server')
    .option('--model <model>', 'provider/name')
    .option('--shell <path>', 'use this shell in new sessions')
    .addOption(new Option('--json', 'print one line: {url, token, pid}'))
    .action((options) =>
      act(async (io) => (await import('./commands/serve.ts')).serveCommand(io, options)),
    )
}

function addRun(program: Command, act: Act): void {
  program
    .command('run')
    .description('run a command in the shared shell and exit with its code')
    .argument('<command...>', 'a command line, or its words after --')
    .option('--session <id>', 'use this session')
    .option('--private', 'never show it to the model')
    .option('--not-secret', notSecretHelp)
    .passThroughOptions()
    .action((words, options) =>
      act(async (io) => (await import('./commands/run.ts')).runCommand(io, words, options)),
    )
}

function addSessions(sessions: Command, act: Act): void {
  const load = () => import('./commands/sessions.ts')
  answering(sessions, 'ls', 'list sessions').action((options) =>
    act(async (io) => (await load()).listSessions(io, options)),
  )
  answering(sessions, 'show <id>', 'print a session as text').action((id, options) =>
    act(async (io) => (await load()).showSession(io, id, options)),
  )
  sessions
    .command('rename <id> <title>')
    .description('give a session a title')
    .action((id, title) => act(async (io) => (await load()).renameSession(io, id, title)))
  sessions
    .command('rm <id>')
    .description('delete a session, its log and its shell')
    .option('-y, --yes', 'do not ask first')
    .action((id, options) => act(async (io) => (await load()).removeSession(io, id, options)))
  sessions
    .command('export <id>')
    .description('print the whole session as a document')
    .addOption(
      new Option('--format <format>', 'format of the document')
        .choices(['md', 'json', 'jsonl', 'cast', 'html'])
        .default('md'),
    )
    .option('-o, --output <file>', 'write to a file')
    .action((id, options) => act(async (io) => (await load()).exportSession(io, id, options)))
}

function addServer(program: Command, act: Act): void {
  const load = () => import('./commands/server.ts')
  addAnswer(program, act)
  const explained = 'say whether a model’s command would ask here, and why; nothing runs'
  answering(program, 'explain [command]', explained)
    .option('--jsonl', 'read {"command", "pre"?, "mode"?} a line, print a verdict a line')
    .option('--shell <path>', 'as in this shell')
    .option('--trust', 'as if this folder were trusted')
    .addOption(new Option('--inside').hideHelp())
    .action((command, options) =>
      act(async (io) =>
        (await import('./commands/explain.ts')).explainCommand(io, command, options),
      ),
    )
  addModels(program, act)
  const cache = 'show how much of each request was sent before'
  answering(program, 'cache [session]', cache).action((id, options) =>
    act(async (io) => (await import('./commands/cache.ts')).cacheCommand(io, id, options)),
  )
  program
    .command('stats')
    .description('count sessions, runs and programs in your own logs; nothing is sent anywhere')
    .option('--team <team>', 'count only sessions of this team')
    .option('--days <n>', 'count only the last n days', days)
    .addOption(json())
    .action((options) =>
      act(async (io) => (await import('./commands/stats.ts')).statsCommand(io, options)),
    )
  addAudit(program, act)
  answering(program, 'web', 'print a new one-time address for a browser').action((options) =>
    act(async (io) => (await load()).webCommand(io, options)),
  )
  const browsers = program.command('browsers').description('list browsers, or sign one out')
  answering(browsers, 'ls', 'list the browsers that are signed in').action((options) =>
    act(async (io) => (await import('./commands/browsers.ts')).listCommand(io, options)),
  )
  browsers
    .command('rm <id>')
    .description('sign a browser out')
    .action((id) =>
      act(async (io) => (await import('./commands/browsers.ts')).removeCommand(io, id)),
    )
  program
    .command('token')
    .description('manage the token that clients need')
    .command('rotate')
    .description('replace it; the old one stops working')
    .action(() => act(async (io) => (await load()).rotateToken(io)))
  program
    .command('stop')
    .description('stop the server; shells keep running')
    .option('--shells', 'end the shells too')
    .addOption(json())
    .action((options) => act(async (io) => (await load()).stopCommand(io, options)))
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
