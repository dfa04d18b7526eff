import type { Command } from './command.ts'
import type { Grammar } from './grammar.ts'

export const repo: Command = {
  name: 'repo',
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
}

const one: Grammar = { words: [{ name: 'task', kind: 'task' }] }

export const task: Command = {
  name: 'task',
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
}

export const assign: Command = {
  name: 'assign',
  usage: '/assign T0042 <name>',
  summary: 'give a task to somebody',
  reachesModel: true,
  grammar: {
    words: [
      { name: 'task', kind: 'task' },
      { name: 'name', kind: 'text' },
    ],
  },
}
