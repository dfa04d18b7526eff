import { type Command, closeCommand, openCommand } from './command.ts'
import { hasHeld } from '../../log/open.ts'
import { refuse } from '../append.ts'
import { startTurn, userMessage } from '../turn.ts'

export const status: Command = {
  name: 'status',
  usage: '/status',
  summary: 'where the session and the team stand',
  reachesModel: false,
}

export const cache: Command = {
  name: 'cache',
  usage: '/cache',
  summary: 'how much of each request the model had seen before',
  reachesModel: false,
}

export const exportTo: Command = {
  name: 'export',
  usage: '/export [md | json | jsonl | cast | html] [file]',
  summary: 'write the session to a file',
  reachesModel: false,
  grammar: {
    words: [
      {
        name: 'format',
        kind: 'choice',
        choices: ['md', 'json', 'jsonl', 'cast', 'html'],
        optional: true,
      },
    ],
    rest: { name: 'file', kind: 'file', optional: true },
  },
}

/** Nothing is rewritten: the summary begins a new session, and this one stays as it is. */
export const compact: Command = {
  name: 'compact',
  aliases: ['compress'],
  usage: '/compact [what to keep]',
  summary: 'go on in a new session that begins with a summary of this one',
  reachesModel: true,
  grammar: { rest: { name: 'what to keep', kind: 'text', optional: true } },
  run(append, { args, text }, catalogue) {
    const { epoch, turn, step } = append.state
    if (epoch === null) return refuse('nothing_to_change', 'There is nothing to sum up yet.')
    if (turn || step || hasHeld(append.state))
      return refuse('busy', 'The model is at work. Stop it first, or wait.')
    const call = openCommand(append, { name: 'compact', text })
    closeCommand(append, call, 'The model sums this session up; it goes on in a new one.')
    const prompt = request(args.get('what to keep') ?? '')
    const trigger = append.add({ ...userMessage(prompt), synthetic: true })
    startTurn(append, catalogue, { trigger, purpose: 'compact' })
    return null
  },
}

function request(focus: string): string {
  const also = focus === '' ? '' : ` The user asks above all for: ${focus}`
  return `[the conversation goes on in a new session, which will know nothing of this one but what you write now. Sum it up: what the user wants, what was found and decided, which files and commands matter, what is left to do. Run nothing.${also}]`
}
