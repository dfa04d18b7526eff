import { effect, type Effect, type EffectKind } from '../effect.ts'
import type { Call } from '../calls/call.ts'
import { deletingVerb } from '../calls/other-effect.ts'

/** The verbs of Docker, by what they do; the first that fits counts. */
const verbs: readonly (readonly [RegExp, EffectKind, string])[] = [
  [
    /^(?:ps|images|logs|inspect|version|info|top|stats|port|diff|history|events|context ls|system (?:df|info|events)|(?:container|image|volume|network|compose|node|service|stack|config|plugin|builder|buildx) (?:ls|list|ps|inspect|logs|top|images|config|port|version))(?: |$)/,
    'network',
    'asks Docker',
  ],
  [
    /^(?:pull|push|login|logout|search|(?:image|compose) (?:pull|push))(?: |$)/,
    'network',
    'sends or gets images over the network',
  ],
  [
    /^(?:build|(?:image|buildx|compose|builder) build)(?: |$)/,
    'code',
    'builds an image, and runs what its file says',
  ],
  [
    /^(?:(?:container |compose )?(?:start|stop|restart|kill|pause|unpause|rename|wait)|compose down)(?: |$)/,
    'outside',
    'starts or stops containers',
  ],
]
const starts = /^(?:compose (?:up|run|exec|create)|exec|container exec)(?: |$)/
const runs = /^(?:container )?(?:run|create)(?: |$)/

/** Options of `run` that give a container nothing of the machine; those with a value stand apart. */
const plain = /^(?:--rm|-[itd]+|--interactive|--tty|--detach|--init|--read-only)$/
const withValue =
  /^(?:-e|--env|-p|--publish|--name|-w|--workdir|--entrypoint|--platform|--pull|-l|--label|-h|--hostname|-m|--memory|--cpus)$/

type Words = readonly (string | null)[]

/** Docker: to ask it is one thing, to give a container the machine another. */
export function judgeDocker({ name, words }: Call): readonly Effect[] {
  const all = name === 'docker-compose' ? ['compose', ...words] : words
  const operands = all.flatMap((word) => (word === null || word.startsWith('-') ? [] : [word]))
  const verb = operands.join(' ')
  const known = all[0] === operands[0] ? verbs.find(([pattern]) => pattern.test(verb)) : undefined
  const [, kind, reason] = known ?? []
  const deleting = deletingVerb(operands)
  if (deleting !== undefined && kind !== 'network')
    return [effect('destroy', `deletes something with ${name} ${deleting}`)]
  if (verb.startsWith('compose down') && all.some(isVolume))
    return [effect('destroy', 'stops containers and deletes what they have stored')]
  if (kind !== undefined && reason !== undefined) return [effect(kind, reason)]
  return all[0] === operands[0] && isConfined(verb, all)
    ? [effect('code', 'runs commands in a container')]
    : [effect('privilege', 'uses Docker, which can change the whole machine')]
}

function isVolume(word: string | null): boolean {
  return word === null || /^-[a-z]*v|^--(?:volumes|rmi)/.test(word)
}

/** No option gives a container a folder, a device or a right of the machine. */
function isConfined(verb: string, words: Words): boolean {
  if (!starts.test(verb)) return runs.test(verb) && isConfinedRun(words)
  return words.every(
    (word) => word !== null && !/^--(?:privileged|volume|user)|^-[a-z]*[vu]/.test(word),
  )
}

/** The options end at the image. */
function isConfinedRun(words: Words): boolean {
  const from = words.findIndex((word) => word === 'run' || word === 'create') + 1
  for (let at = from; at < words.length; at++) {
    const word = words[at]
    if (word == null) return false
    if (withValue.test(word)) at += 1
    else if (!plain.test(word) && !withValue.test(word.replace(/=.*$/s, '')))
      return !word.startsWith('-')
  }
  return false
}
