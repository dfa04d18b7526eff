import { askEdge, type Command } from './command.ts'

export const repo: Command = {
  name: 'repo',
  aliases: [],
  usage: '/repo [ls | add <folder> [name] | rm <name>]',
  summary: 'the folders of the team that /shell works in',
  reachesModel: true,
  grammar: {
    actions: {
      usual: 'ls',
      of: {
        ls: {},
        add: {
          words: [
            { name: 'folder', kind: 'folder' },
            { name: 'name', kind: 'text', optional: true },
          ],
        },
        rm: { words: [{ name: 'name', kind: 'repo' }] },
      },
    },
  },
  run: (append, input) => askEdge(append, 'repo', input),
}
