import { limits } from '../../protocol/limits.ts'
import { refuse } from '../append.ts'
import { decideAnswer } from '../decide/answer.ts'
import { askEdge, closeCommand, type Command, openCommand } from './command.ts'

export const approve: Command = {
  name: 'approve',
  aliases: ['yes'],
  usage: '/approve [T0042]',
  summary: 'say yes to the oldest question, or approve a task',
  reachesModel: true,
  grammar: { words: [{ name: 'task', kind: 'task', optional: true }] },
  run(append, input, catalogue) {
    if (input.args.get('task') !== undefined) return askEdge(append, 'approve_task', input)
    const [oldest] = append.state.asks
    if (oldest === undefined) return refuse('unknown_ask', 'Nothing waits for your yes.')
    const call = openCommand(append, { name: 'approve', text: input.text })
    const { ask } = oldest
    const refusal = decideAnswer(append, { type: 'answer', ask, outcome: 'allow' }, catalogue)
    if (refusal) return refusal
    return closeCommand(append, call, `Allowed: ${oldest.command}`)
  },
}

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
    return closeCommand(append, call, `Denied: ${oldest.command}`)
  },
}
