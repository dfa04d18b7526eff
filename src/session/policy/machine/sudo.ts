import { effect, type Effect } from '../effect.ts'
import type { Argument } from '../syntax/argument.ts'
import { deeper } from '../syntax/place.ts'
import type { Call } from '../calls/call.ts'

const withValue = /^(?:-[A-Za-z]*[ughpCTrtDR]|--(?:user|group|host|prompt|chdir|chroot|role|type))$/
const names: Readonly<Record<string, string>> = {
  sudo: 'root',
  doas: 'root',
  pkexec: 'root',
  run0: 'root',
}

/** A command as another user: everything that it does is told, and that it does so as root. */
export function judgeSudo({ name, args, place, inner }: Call): readonly Effect[] {
  const { user, call } = behindOptions(args)
  const who = user ?? names[name]
  if (who === undefined || call.length === 0) {
    const other = effect('privilege', 'runs as another user')
    return [place.isPiped ? { ...other, runs: '' } : other]
  }
  const done = inner(call, deeper(place))
  const [first] = call
  const called = first?.is === 'text' ? first.text : 'a program'
  if (done.length === 0) return [effect('privilege', `runs ${called} as ${who}`)]
  return done.map((each) => ({ ...each, kind: 'privilege', reason: `as ${who}: ${each.reason}` }))
}

function behindOptions(args: readonly Argument[]): {
  user: string | null
  call: readonly Argument[]
} {
  let user: string | null = null
  for (let at = 0; at < args.length; at++) {
    const arg = args[at]
    const text = arg?.is === 'text' ? arg.text : ''
    if (text === '--') return { user, call: args.slice(at + 1) }
    if (withValue.test(text)) {
      at += 1
      const value = args[at]
      if (/u$|user$/.test(text)) user = value?.is === 'text' ? value.text : 'another user'
      continue
    }
    if (/^--user=./.test(text)) user = text.slice('--user='.length)
    if (!text.startsWith('-') && !/^[A-Za-z_]\w*=/.test(text)) return { user, call: args.slice(at) }
  }
  return { user, call: [] }
}
