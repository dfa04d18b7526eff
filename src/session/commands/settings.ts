import { limits } from '../../protocol/limits.ts'
import { refuse } from '../append.ts'
import { askEdge, closeCommand, type Command, openCommand } from './command.ts'

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
    return closeCommand(append, call, `The session is called "${title}".`)
  },
}

export const privately: Command = {
  name: 'private',
  usage: '/private [on | off]',
  summary: 'work in the terminal without the model seeing it, or let it see again',
  reachesModel: false,
  grammar: { words: [{ name: 'mode', kind: 'choice', choices: ['on', 'off'], optional: true }] },
  run(append, { args, text }) {
    const now = append.state.private ? 'on' : 'off'
    const mode = args.get('mode') ?? (now === 'on' ? 'off' : 'on')
    if (mode === now) return refuse('nothing_to_change', `Private mode is ${mode} already.`)
    const call = openCommand(append, { name: 'private', text })
    append.add({ type: 'session_update', private: mode === 'on', ptyAt: append.ptyAt })
    const sees = mode === 'on' ? 'nothing of what you run' : 'what you run from here on'
    return closeCommand(append, call, `Private mode is ${mode}: the model sees ${sees}.`)
  },
}

export const model: Command = {
  name: 'model',
  usage: '/model [provider/name]',
  summary: 'which models there are, or talk to another one',
  reachesModel: false,
  grammar: { words: [{ name: 'model', kind: 'model', optional: true }] },
  run(append, input, { pick }) {
    const wanted = input.args.get('model')
    if (wanted === undefined) return askEdge(append, 'models', input)
    const { epoch } = append.state
    const picked = pick(wanted, epoch?.dialect ?? null)
    if (!picked.ok) return refuse('bad_model', picked.error)
    // Tags are only text, which every model takes; native calls are not for every one.
    if (epoch && epoch.dialect !== picked.value.dialect)
      return refuse(
        'bad_model',
        `${picked.value.model} works with ${picked.value.dialect} only, this session with ${epoch.dialect}. Start a new session for it.`,
      )
    const call = openCommand(append, { name: 'model', text: input.text })
    append.add({ type: 'session_update', model: picked.value.model })
    return closeCommand(append, call, `The next turn is with ${picked.value.model}.`)
  },
}

export const trust: Command = {
  name: 'trust',
  usage: '/trust [list | revoke]',
  summary: 'let the skills, command files and settings of this folder count',
  reachesModel: true,
  grammar: { actions: { usual: 'grant', of: { grant: {}, list: {}, revoke: {} } } },
}

export const approval: Command = {
  name: 'approval',
  usage: '/approval [ls | rm <rule | settings>]',
  summary: 'the rules that let commands run unasked here, or revoke one',
  reachesModel: false,
  grammar: {
    actions: { usual: 'ls', of: { ls: {}, rm: { words: [{ name: 'rule', kind: 'text' }] } } },
  },
  run(append, input) {
    const wanted = input.args.get('rule')
    const rule = append.state.rules.find(({ id }) => id === wanted)
    const isOfShell = wanted === 'settings' && append.state.settings.length > 0
    if (rule === undefined && !isOfShell) return askEdge(append, 'approval', input)
    const call = openCommand(append, { name: 'approval', text: input.text })
    append.add({ type: 'session_update', revoked: rule?.id ?? 'settings' })
    const said = rule?.words ?? 'the yes to the settings of the shell'
    return closeCommand(append, call, `Revoked: ${said}.`)
  },
}
