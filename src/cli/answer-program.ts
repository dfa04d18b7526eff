import { type Command, CommanderError, Option } from 'commander'
import type { AskScope } from '../protocol/events/ask.ts'
import { type Act, json } from './act.ts'
import { exitCode } from './exit-code.ts'

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
