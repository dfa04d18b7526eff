import { type Judging, lookAt } from './judging.ts'
import { isSecretPath } from './secrets.ts'
import type { Argument, Pattern } from './syntax/argument.ts'

/** More than this is not looked at one by one. */
const maxMatches = 2_000

/** The files that a pattern stands for now; undefined when somebody has to look first. */
export function matching(
  judging: Judging,
  cwd: string,
  pattern: Pattern,
): readonly string[] | undefined {
  const segments = segmentsOf(pattern)
  const [first = ''] = segments
  let paths: readonly string[] = first === '' ? [''] : [cwd === '/' ? '' : cwd]
  for (const [index, segment] of (first === '' ? segments.slice(1) : segments).entries()) {
    if (typeof segment === 'string') {
      paths = paths.map((path) => `${path}/${segment}`)
      continue
    }
    const found = paths.map((path) => {
      const fact = lookAt(judging, path === '' ? '/' : path, 'names')
      return fact === undefined
        ? undefined
        : (fact.names ?? []).filter((name) => segment.test(name)).map((name) => `${path}/${name}`)
    })
    if (found.includes(undefined) || index > 8) return undefined
    paths = found.flatMap((names) => names ?? [])
    if (paths.length > maxMatches) return undefined
  }
  return paths
}

/** A pattern that may begin with anything, as files of a folder: none of them can be taken for an option. */
export function asFiles(
  judging: Judging,
  argument: Argument,
  cwds: readonly string[] | null,
): Argument {
  if (argument.is !== 'pattern' || cwds === null) return argument
  const { pattern } = argument
  const [first] = pattern
  if (first === undefined || !('glob' in first)) return argument
  const names = cwds.map((cwd) =>
    matching(judging, cwd, pattern)?.map((path) => path.slice(cwd === '/' ? 1 : cwd.length + 1)),
  )
  if (names.includes(undefined)) return argument
  return names.some((each) => each?.some((name) => /^[-+@]/.test(name)))
    ? { is: 'odd', why: 'a pattern that meets a file whose name looks like an option' }
    : { is: 'pattern', pattern: [{ text: './' }, ...pattern] }
}

/** Names that a pattern may mean, whether they are there or not. */
const samples = ['id_rsa', 'id_ed25519', 'server.pem', 'server.key', 'store.p12']
const hiddenSamples = [...samples, '.env', '.env.local', '.npmrc', '.netrc']

/** Whether a pattern that a program reads by itself means secrets: to find, git and grep a dot is a letter. */
export function meansSecret(text: string): boolean {
  if (isSecretPath(text)) return true
  const name = text.slice(text.lastIndexOf('/') + 1).replace(/^!/, '')
  if (!/[*?[]/.test(name)) return false
  const source = name.replaceAll(/\\[^]|\*|\?|\[[^\]]*\]|[^]/g, (found) =>
    found === '*' ? '.*' : found === '?' || found.length > 2 ? '.' : escaped(found.slice(-1)),
  )
  const pattern = new RegExp(`^${source}$`, 's')
  return (
    name.startsWith('.') ||
    (/[A-Za-z0-9]/.test(name) && hiddenSamples.some((sample) => pattern.test(sample)))
  )
}

/** The reason why a pattern asks whatever it finds: hidden files, or what is a secret by its name. */
export function namesSecret(pattern: Pattern): string | null {
  const segments = segmentsOf(pattern)
  for (const [index, segment] of segments.entries()) {
    if (typeof segment === 'string') {
      const before = segments.slice(0, index + 1).filter((each) => typeof each === 'string')
      if (isSecretPath(before.join('/')))
        return `reads ${before.join('/')}, which is a secret by its name`
      continue
    }
    const isDeep = index > 0 && segments.slice(0, index).some((each) => `${each}`.includes('.*.*'))
    if (isDeep && !/[A-Za-z0-9]/.test(segment.source)) return 'reads all files of many folders'
    if (segment.source.startsWith('^\\.')) return 'reads hidden files, of which some are secrets'
    if (/[A-Za-z0-9]/.test(segment.source) && samples.some((name) => segment.test(name)))
      return 'reads files that are secrets by their names'
  }
  return null
}

/** Names between slashes: as they are, or what they have to match. `**` is taken as `*`, which it is at least. */
function segmentsOf(pattern: Pattern): readonly (string | RegExp)[] {
  const segments: { source: string; text: string; isGlob: boolean; first: string }[] = [
    emptySegment(),
  ]
  for (const piece of pattern) {
    const texts = 'text' in piece ? piece.text.split('/') : [piece.glob]
    for (const [index, text] of texts.entries()) {
      if (index > 0) segments.push(emptySegment())
      const segment = segments.at(-1)
      if (segment === undefined) continue
      segment.first ||= text.charAt(0)
      segment.text += text
      segment.source += 'text' in piece ? escaped(text) : fromGlob(piece.glob)
      segment.isGlob ||= 'glob' in piece
    }
  }
  return segments.map(({ source, text, isGlob, first }) =>
    // A name that begins with a dot is met only by a dot.
    isGlob ? new RegExp(`^${first === '.' ? '' : '(?!\\.)'}${source}$`, 's') : text,
  )
}

function emptySegment() {
  return { source: '', text: '', isGlob: false, first: '' }
}

function escaped(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)
}

/** A bracket is taken for any letter: more files than it means, never fewer. */
function fromGlob(glob: string): string {
  return /^\*+$/.test(glob) ? '.*'.repeat(Math.min(2, glob.length)) : '.'
}
