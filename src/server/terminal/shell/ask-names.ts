import type { HolderClient } from '../holder/client.ts'

/**
 * Asks the shell once a stamp at most, and never while something runs: gives the names at the last prompt at which it
 * could be asked, null when there was none yet.
 */
export function createAskNames(client: Pick<HolderClient, 'names'>) {
  let known: ShellNames | null = null
  let askedAt: number | null = null
  let asking: Promise<ShellNames | null> | null = null

  async function ask(stamp: number): Promise<ShellNames | null> {
    const found = readNames(await client.names())
    askedAt = found === null ? null : stamp
    known = found ?? known
    return known
  }

  return async ({ isAtPrompt, stamp }: { isAtPrompt: boolean; stamp: number }) => {
    if (asking === null && (askedAt === stamp || !isAtPrompt)) return known
    asking ??= ask(stamp).finally(() => (asking = null))
    return asking
  }
}

/** The names that a live shell knows. */
export interface ShellNames {
  aliases: readonly { name: string; value: string }[]
  functions: readonly string[]
  variables: readonly string[]
  builtins: readonly string[]
  /** Its search path as it is now. */
  path: string
}

/** The beginning of an alias shows what it is about. */
const valueChars = 200

/**
 * Reads what the integration wrote down: the search path, pairs of an alias and its value, each ended
 * by a NUL; an empty one; functions, variables and built-ins by line, with a NUL between. Null when that
 * is not all there.
 */
function readNames(bytes: Buffer): ShellNames | null {
  const [path, ...fields] = bytes.toString('utf8').split('\0')
  const end = fields.findIndex((name, index) => index % 2 === 0 && name === '')
  const [functions, variables, builtins] = fields.slice(end + 1).map(lines)
  if (path === undefined || end === -1) return null
  if (functions === undefined || variables === undefined || builtins === undefined) return null
  const aliases = Array.from({ length: end / 2 }, (_, index) => ({
    name: fields[2 * index] ?? '',
    value: (fields[2 * index + 1] ?? '').slice(0, valueChars),
  }))
  return { path, aliases, functions, variables, builtins }
}

function lines(text: string): readonly string[] {
  return text.split('\n').filter((line) => line !== '')
}
