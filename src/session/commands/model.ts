import { refuse } from '../refuse.ts'
import { askEdge, type Command } from './command.ts'

export const model: Command = {
  name: 'model',
  aliases: [],
  usage: '/model [provider/name]',
  summary: 'which models there are, or talk to another one',
  run(append, input, { pick }) {
    const wanted = input.args.trim()
    if (wanted === '') return askEdge(append, 'models', input)
    const picked = pick(wanted)
    if (!picked.ok) return refuse('bad_model', picked.error)
    const { epoch } = append.state
    // Its earlier replies ask for commands in a way the other one would not understand.
    if (epoch && epoch.dialect !== picked.value.dialect)
      return refuse(
        'bad_model',
        `${picked.value.model} works with ${picked.value.dialect}, this session with ${epoch.dialect}. Start a new session for it.`,
      )
    append.add({ type: 'session_update', model: picked.value.model })
    return null
  },
}
