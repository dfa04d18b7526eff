import { askEdge, type Command } from './command.ts'

export const status: Command = {
  name: 'status',
  aliases: [],
  usage: '/status',
  summary: 'where the session and the team stand',
  reachesModel: false,
  grammar: {},
  run: (append, input) => askEdge(append, 'status', input),
}
