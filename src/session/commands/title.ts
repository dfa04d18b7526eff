import { limits } from '../../protocol/limits.ts'
import { refuse } from '../refuse.ts'
import { closeCommand, type Command, openCommand } from './command.ts'

export const title: Command = {
  name: 'title',
  aliases: ['rename'],
  usage: '/title <text>',
  summary: 'give the session a title',
  reachesModel: false,
  grammar: { rest: { name: 'text', kind: 'text' } },
  run(append, { args, text }) {
    const title = (args.get('text') ?? '').replaceAll(/\s+/g, ' ')
    if (title.length > limits.titleChars)
      return refuse('too_large', `A title can have at most ${limits.titleChars} characters.`)
    const call = openCommand(append, { name: 'title', text })
    append.add({ type: 'session_update', title })
    closeCommand(append, call, `The session is called "${title}".`)
    return null
  },
}
