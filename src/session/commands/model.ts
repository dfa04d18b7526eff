import { refuse } from '../refuse.ts'
import { askEdge, closeCommand, type Command, openCommand } from './command.ts'

export const model: Command = {
  name: 'model',
  aliases: [],
  usage: '/model [provider/name]',
  summary: 'which models there are, or talk to another one',
  reachesModel: false,
  grammar: { words: [{ name: 'model', kind: 'model', optional: true }] },
  run(append, input, { pick }) {
    const wanted = input.args.get('model')
    if (wanted === undefined) return askEdge(append, 'models', input)
    const picked = pick(wanted)
    if (!picked.ok) return refuse('bad_model', picked.error)
    const { epoch } = append.state
    // Its earlier replies ask for commands in a way the other one would not understand.
    if (epoch && epoch.dialect !== picked.value.dialect)
      return refuse(
        'bad_model',
        `${picked.value.model} works with ${picked.value.dialect}, this session with ${epoch.dialect}. Start a new session for it.`,
      )
    const call = openCommand(append, { name: 'model', text: input.text })
    append.add({ type: 'session_update', model: picked.value.model })
    closeCommand(append, call, `The next turn is with ${picked.value.model}.`)
    return null
  },
}
