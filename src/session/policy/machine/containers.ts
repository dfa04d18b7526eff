import { effect, type Effect } from '../effect.ts'
import type { Call } from '../calls/call.ts'
import { deletingVerb } from '../calls/other-effect.ts'

const looks =
  /^(?:ps|images|logs|inspect|version|info|top|stats|port|diff|history|events|context ls|system (?:df|info|events)|(?:container|image|volume|network|compose|node|service|stack|config|plugin|builder|buildx) (?:ls|list|ps|inspect|logs|top|images|config|port|version))(?: |$)/
const moves = /^(?:pull|push|login|logout|search|(?:image|compose) (?:pull|push))(?: |$)/
const builds = /^(?:build|(?:image|buildx|compose|builder) build)(?: |$)/
const starts = /^(?:compose (?:up|run|exec|create)|exec|container exec)(?: |$)/
const stops =
  /^(?:(?:container |compose )?(?:start|stop|restart|kill|pause|unpause|rename|wait)|compose down)(?: |$)/
const runs = /^(?:container )?(?:run|create)(?: |$)/

/** Options of `run` that give a container nothing of the machine; those with a value stand apart. */
const plain = /^(?:--rm|-[itd]+|--interactive|--tty|--detach|--init|--read-only)$/
const withValue =
  /^(?:-e|--env|-p|--publish|--name|-w|--workdir|--entrypoint|--platform|--pull|-l|--label|-h|--hostname|-m|--memory|--cpus)$/

/** Docker: to ask it is one thing, to give a container the machine another. */
export function judgeDocker({ name, words }: Call): readonly Effect[] {
  const all = name === 'docker-compose' ? ['compose', ...words] : words
  const operands = all.flatMap((word) => (word === null || word.startsWith('-') ? [] : [word]))
  const verb = operands.join(' ')
  const deleting = deletingVerb(operands)
  const isPlain = all[0] !== null && all[0] !== undefined && !all[0].startsWith('-')
  const grave = effect('privilege', 'uses Docker, which can change the whole machine')
  if (deleting !== undefined && !looks.test(verb))
    return [effect('destroy', `deletes something with ${name} ${deleting}`)]
  if (!isPlain) return [grave]
  if (/^compose down /.test(`${verb} `) && all.some(isVolume))
    return [effect('destroy', 'stops containers and deletes what they have stored')]
  if (looks.test(verb)) return [effect('network', 'asks Docker')]
  if (moves.test(verb)) return [effect('network', 'sends or gets images over the network')]
  if (builds.test(verb)) return [effect('code', 'builds an image, and runs what its file says')]
  if (stops.test(verb)) return [effect('outside', 'starts or stops containers')]
  if (
    starts.test(verb) &&
    !all.some((word) => word === null || /^--(?:privileged|volume|user)|^-[a-z]*[vu]/.test(word))
  )
    return [effect('code', 'runs commands in a container')]
  return [runs.test(verb) && isConfined(all) ? effect('code', 'runs a container') : grave]
}

function isVolume(word: string | null): boolean {
  return word === null || /^-[a-z]*v|^--(?:volumes|rmi)/.test(word)
}

/** Up to the image no option gives it a folder, a device or a right of the machine. */
function isConfined(words: readonly (string | null)[]): boolean {
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
