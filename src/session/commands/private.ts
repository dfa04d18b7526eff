import { refuse } from '../refuse.ts'
import { closeCommand, type Command, openCommand } from './command.ts'

export const privately: Command = {
  name: 'private',
  aliases: [],
  usage: '/private [on | off]',
  summary: 'work in the terminal without the model seeing it, or let it see again',
  reachesModel: false,
  grammar: { words: [{ name: 'mode', kind: 'choice', choices: ['on', 'off'], optional: true }] },
  run(append, { args, text }) {
    const mode = args.get('mode')
    const wanted = mode === undefined ? !append.state.private : mode === 'on'
    if (wanted === append.state.private)
      return refuse('nothing_to_change', `Private mode is ${wanted ? 'on' : 'off'} already.`)
    const call = openCommand(append, { name: 'private', text })
    append.add({ type: 'session_update', private: wanted, ptyAt: append.ptyAt })
    closeCommand(
      append,
      call,
      wanted
        ? 'Private mode is on: the model sees nothing of what you run.'
        : 'Private mode is off: the model sees what you run from here on.',
    )
    return null
  },
}
