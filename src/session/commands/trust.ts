import { askEdge, type Command } from './command.ts'

export const trust: Command = {
  name: 'trust',
  aliases: [],
  usage: '/trust [list | revoke]',
  summary: 'let the skills, command files and settings of this folder count',
  reachesModel: true,
  grammar: { actions: { usual: 'grant', of: { grant: {}, list: {}, revoke: {} } } },
  run: (append, input) => askEdge(append, 'trust', input),
}
