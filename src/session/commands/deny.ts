import { limits } from '../../protocol/limits.ts'
import { decideAnswer } from '../decide-answer.ts'
import { refuse } from '../refuse.ts'
import { closeCommand, type Command, openCommand } from './command.ts'

export const deny: Command = {
  name: 'deny',
  aliases: ['no'],
  usage: '/deny [a word to the model]',
  summary: 'say no to the oldest question, perhaps with a word',
  reachesModel: true,
  grammar: { rest: { name: 'word', kind: 'text', optional: true } },
  run(append, { args, text }, catalogue) {
    const [oldest] = append.state.asks
    if (oldest === undefined) return refuse('unknown_ask', 'Nothing waits for your no.')
    const word = args.get('word')
    if (word !== undefined && word.length > limits.wordChars)
      return refuse('too_large', `A word can have at most ${limits.wordChars} characters.`)
    const call = openCommand(append, { name: 'deny', text })
    const answer = { type: 'answer', ask: oldest.ask, outcome: 'deny', word } as const
    const refusal = decideAnswer(append, answer, catalogue)
    if (refusal) return refusal
    closeCommand(append, call, `Denied: ${oldest.command}`)
    return null
  },
}
