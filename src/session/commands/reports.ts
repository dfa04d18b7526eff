import type { Command } from './command.ts'

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
