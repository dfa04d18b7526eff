import { askEdge, type Command } from './command.ts'

export const assign: Command = {
  name: 'assign',
  aliases: [],
  usage: '/assign T0042 <name>',
  summary: 'give a task to somebody',
  reachesModel: true,
  grammar: {
    words: [
      { name: 'task', kind: 'task' },
      { name: 'name', kind: 'text' },
    ],
  },
  run: (append, input) => askEdge(append, 'assign', input),
}
