import { decideAnswer } from '../decide-answer.ts'
import { refuse } from '../refuse.ts'
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
    closeCommand(append, call, `Allowed: ${oldest.command}`)
    return null
  },
}
