import { askEdge, type Command } from './command.ts'

export const task: Command = {
  name: 'task',
  aliases: [],
  usage: '/task [list | create <title> | show T0042 | review T0042 | done T0042]',
  summary: 'the tasks of the team',
  reachesModel: true,
  grammar: {
    words: [
      {
        name: 'what',
        kind: 'choice',
        choices: ['list', 'create', 'show', 'review', 'done'],
        optional: true,
      },
    ],
    rest: { name: 'title or task', kind: 'task', optional: true },
  },
  run: (append, input) => askEdge(append, 'task', input),
}
