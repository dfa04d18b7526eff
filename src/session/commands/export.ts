import { askEdge, type Command } from './command.ts'

export const exportTo: Command = {
  name: 'export',
  aliases: [],
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
  run: (append, input) => askEdge(append, 'export', input),
}
