import { parse } from 'unbash'

/** A program and its words, as far as they can be read; null for a word that is computed. */
export interface ReadCall {
  program: string
  words: readonly (string | null)[]
}

/** Programs that run what their later words say. */
const wrappers = new Set(
  'sudo doas pkexec run0 su env timeout nice ionice chrt taskset nohup setsid stdbuf unbuffer time command builtin exec xargs find watch strace ltrace chroot flock parallel script busybox systemd-run caffeinate coproc'.split(
    ' ',
  ),
)
const shells = new Set('sh bash dash zsh ksh fish eval su script ssh'.split(' '))

/** More texts in one another than this are not read. */
const maxTexts = 200
/** Texts longer than this in all are not read. */
const maxChars = 4 * 1024 * 1024

/**
 * Every call that a command may make, also within wrappers, substitutions and strings that a shell gets. Wide on purpose: it is for
 * rules that forbid, so it says whether it has read everything, and a word that only looks like a command behind a wrapper counts as one.
 */
export function callsIn(command: string): { calls: readonly ReadCall[]; isWhole: boolean } {
  const calls: ReadCall[] = []
  const texts = [command]
  let chars = 0
  for (const [at, text] of texts.entries()) {
    chars += text.length
    if (at >= maxTexts || chars > maxChars) return { calls, isWhole: false }
    for (const call of callsOf(text)) {
      calls.push(call, ...within(call))
      texts.push(...stringsFor(call))
    }
  }
  return { calls, isWhole: true }
}

/** The simple commands of a text, wherever they stand in it. */
function callsOf(text: string): readonly ReadCall[] {
  const calls: ReadCall[] = []
  let isBroken = false
  const left: unknown[] = [parse(text)]
  const seen = new Set<unknown>()
  while (left.length > 0) {
    const node = left.pop()
    if (typeof node !== 'object' || node === null || seen.has(node)) continue
    seen.add(node)
    calls.push(...callOf(node))
    // Also a script within another has errors of its own.
    isBroken ||= 'errors' in node && Array.isArray(node.errors) && node.errors.length > 0
    for (const key of allKeys(node)) left.push(Reflect.get(node, key))
  }
  return isBroken ? [...calls, ...roughCalls(text)] : calls
}

/** The call of a node, if it is a simple command. */
function callOf(node: object): readonly ReadCall[] {
  if (!('type' in node) || node.type !== 'Command' || !('name' in node) || !('args' in node))
    return []
  const args: readonly unknown[] = Array.isArray(node.args) ? node.args : []
  const [name, ...words] = [node.name, ...args].map(literal)
  return typeof name === 'string' ? [{ program: baseName(name), words }] : []
}

const reserved = /^(?:do|then|else|elif|if|while|until|time|!|and|or|not|begin|[A-Za-z_]\w*=.*)$/

/** A text that bash would refuse, as another shell might read it: each of its parts by its words. */
function roughCalls(text: string): readonly ReadCall[] {
  return text.split(/[;&|\n(){}`]/).flatMap((part) => {
    const words = part.split(/\s+/).map((word) => word.replaceAll(/["'\\]/g, ''))
    const at = words.findIndex((word) => word !== '' && !reserved.test(word))
    return at < 0 ? [] : [{ program: baseName(words[at] ?? ''), words: words.slice(at + 1) }]
  })
}

/** Also those that are worked out when they are asked for. */
function allKeys(node: object): readonly string[] {
  const keys = new Set(Object.keys(node))
  for (
    let kind: unknown = Object.getPrototypeOf(node);
    isOfParser(kind);
    kind = Object.getPrototypeOf(kind)
  )
    for (const key of Object.getOwnPropertyNames(kind)) keys.add(key)
  return [...keys]
}

function isOfParser(kind: unknown): kind is object {
  return (
    typeof kind === 'object' && kind !== null && kind !== Object.prototype && !Array.isArray(kind)
  )
}

/** A word as a program gets it; null when that is known only when it runs. */
function literal(word: unknown): string | null {
  if (typeof word !== 'object' || word === null || !('value' in word)) return null
  const { value } = word
  const text = 'text' in word && typeof word.text === 'string' ? word.text : ''
  if (typeof value !== 'string') return null
  return /[$`]/.test(text.replaceAll(/'[^']*'|\\./g, '')) ? null : value
}

function baseName(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1)
}

function within({ program, words }: ReadCall): readonly ReadCall[] {
  if (!wrappers.has(program)) return []
  return words.flatMap((word, at) =>
    word === null ? [] : [{ program: baseName(word), words: words.slice(at + 1) }],
  )
}

/** Words that are scripts, of a shell or of a wrapper's. */
function stringsFor({ program, words }: ReadCall): readonly string[] {
  const isShell =
    shells.has(program) ||
    (wrappers.has(program) && words.some((word) => word !== null && shells.has(baseName(word))))
  if (!isShell) return []
  const known = words.filter((word) => word !== null)
  return [
    ...known.filter((word) => /\s|[;&|]/.test(word)),
    ...(program === 'eval' ? [known.join(' ')] : []),
  ]
}
