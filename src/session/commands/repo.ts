import { askEdge, type Command } from './command.ts'

export const repo: Command = {
  name: 'repo',
  aliases: [],
  usage: '/repo [ls | add <folder> [name] | rm <name>]',
  summary: 'the folders of the team that /shell works in',
  reachesModel: true,
  grammar: {
    words: [{ name: 'what', kind: 'choice', choices: ['ls', 'add', 'rm'], optional: true }],
    rest: { name: 'folder or name', kind: 'folder', optional: true },
  },
  run: (append, input) => askEdge(append, 'repo', input),
}
