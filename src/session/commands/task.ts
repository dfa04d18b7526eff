import { askEdge, type Command } from './command.ts'
import type { Grammar } from './grammar.ts'

const one: Grammar = { words: [{ name: 'task', kind: 'task' }] }

export const task: Command = {
  name: 'task',
  aliases: [],
  usage: '/task [list | create <title> | show T0042 | review T0042 | done T0042]',
  summary: 'the tasks of the team',
  reachesModel: true,
  grammar: {
    actions: {
      usual: 'list',
      of: {
        list: {},
        create: { rest: { name: 'title', kind: 'text' } },
        show: one,
        review: one,
        done: one,
      },
    },
  },
  run: (append, input) => askEdge(append, 'task', input),
}
