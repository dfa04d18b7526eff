import { effect, type Effect } from '../effect.ts'
import { listed } from '../writes/deletes.ts'
import type { Call, JudgeCall } from '../calls/call.ts'
import { queries } from '../calls/queries.ts'
import { otherEffect } from '../calls/other-effect.ts'

const operandsOf = ({ words }: Call): readonly string[] =>
  words.flatMap((word) => (word === null ? ['something'] : word.startsWith('-') ? [] : [word]))
const flagsOf = ({ words }: Call): readonly string[] =>
  words.flatMap((word) => (word === null ? ['?'] : word.startsWith('-') ? [word] : []))
const usual = (call: Call): readonly Effect[] => [otherEffect(call.name, operandsOf(call))]

interface Looking {
  /** The verb, or the verbs, that only tell something. */
  verbs: RegExp
  flags: RegExp
  says: string
}

/** A program of which some verbs only tell something, with options that change nothing about that. */
function tells({ verbs, flags, says }: Looking): JudgeCall {
  return (call) =>
    verbs.test(operandsOf(call).join(' ')) && flagsOf(call).every((flag) => flags.test(flag))
      ? [effect('inspect', says)]
      : usual(call)
}

const packages = tells({
  verbs: /^(?:list|show|search|policy|depends|rdepends)(?: |$)/,
  flags: /^(?:--installed|--upgradable|-a|--all-versions|--names-only|-n)$/,
  says: 'asks about programs of the machine',
})

/** Programs of the machine, most calls of which are hard to undo, and some of which only ask. */
export const machinePrograms: Readonly<Record<string, JudgeCall>> = {
  systemctl: tells({
    verbs: /^$|^(?:status|is-active|is-enabled|is-failed|list-[a-z-]+|show|cat|get-default)(?: |$)/,
    flags:
      /^(?:--no-pager|--user|-l|--full|-a|--all|--failed|--plain|--no-legend|--(?:type|state|lines|property|output)=[\w,-]+)$/,
    says: 'asks about services of the machine',
  }),
  service: tells({
    verbs: /^$|^\S+ status$/,
    flags: /^--status-all$/,
    says: 'asks about services of the machine',
  }),
  apt: packages,
  mount: tells({ verbs: /^$/, flags: /^-l$/, says: 'asks what is mounted' }),
  fdisk: (call) =>
    call.words[0] === '-l' ? [effect('inspect', 'asks about partitions')] : usual(call),
  crontab(call) {
    const flags = flagsOf(call)
    if (call.words.length === 1 && flags[0] === '-l')
      return [effect('inspect', 'shows what runs at set times')]
    return flags.some((flag) => /^-\w*r/.test(flag))
      ? [effect('destroy', 'deletes what runs at set times')]
      : usual(call)
  },
  kill(call) {
    const { words } = call
    if (/^(?:-0|-l|-L|--list)$/.test(words[0] ?? '') || (words[0] === '-s' && words[1] === '0'))
      return [effect('inspect', 'asks whether a process runs')]
    const ids = operandsOf(call)
    return [
      effect('destroy', `ends ${ids.length === 1 ? 'the process' : 'processes'} ${listed(ids)}`),
    ]
  },
  // One letter may be a verb that changes something: `ip l a` adds.
  ip: (call) =>
    /^\S*(?:$| (?:show|list|ls|get)(?: |$))/.test(operandsOf(call).join(' '))
      ? (queries.get('ip')?.(call) ?? usual(call))
      : [effect('privilege', 'may change the network of the machine')],
  pkill: (call) => [effect('destroy', `ends all processes called ${listed(operandsOf(call))}`)],
  killall: (call) => [effect('destroy', `ends all processes called ${listed(operandsOf(call))}`)],
  dd(call) {
    const outputs = call.words.filter((word) => word === null || word.startsWith('of='))
    const isKept = outputs.some(
      (word) => word === null || !/^of=\/dev\/(?:null|stdout)$/.test(word),
    )
    const [from = 'what is typed'] = call.words.flatMap((word) =>
      word?.startsWith('if=') === true ? [word.slice(3)] : [],
    )
    return isKept ? usual(call) : [effect('secret', `reads raw data from ${from}`)]
  },
  rsync: (call) =>
    flagsOf(call).some((flag) => /^--(?:del|remove)/.test(flag)) &&
    !flagsOf(call).some((flag) => /^--dry-run$|^-[a-zA-Z]*n/.test(flag))
      ? [effect('destroy', 'copies files, and deletes others on the way')]
      : usual(call),
}
