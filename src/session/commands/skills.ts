import { askEdge, type Command } from './command.ts'

export const skills: Command = {
  name: 'skills',
  aliases: [],
  usage: '/skills',
  summary: 'the skills there are',
  reachesModel: false,
  grammar: {},
  run: (append, input) => askEdge(append, 'skills', input),
}
