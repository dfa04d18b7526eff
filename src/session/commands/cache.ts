import { askEdge, type Command } from './command.ts'

export const cache: Command = {
  name: 'cache',
  aliases: [],
  usage: '/cache',
  summary: 'how much of each request the model had seen before',
  reachesModel: false,
  grammar: {},
  run: (append, input) => askEdge(append, 'cache', input),
}
