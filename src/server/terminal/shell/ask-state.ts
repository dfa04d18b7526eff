import { createHash, randomUUID } from 'node:crypto'
import { fingerprint } from '../../../session/policy/live/fingerprint.ts'
import type { LiveState } from '../../../session/policy/live/live-state.ts'
import { readLiveState } from '../../../session/policy/live/read-live-state.ts'
import type { Hello } from '../../../protocol/holder/holder.ts'
import { isFree, shownIntegration } from '../../../terminal/shells.ts'
import type { TerminalState } from '../../../terminal/state.ts'
import type { HolderClient } from '../holder/client.ts'
import type { LiveShell } from './live-shell.ts'
import { drawn } from './start-and-end.ts'

/** The shell as a command would find it now, and as it was after its start files. */
export interface PulledState {
  state: LiveState
  baseline: LiveState
  /** The stamp that all of this is true for. */
  stamp: number
  /** Says what these names, and all that may change any command, mean. */
  fingerprint(names: readonly string[]): string
}

export interface AskStateDeps {
  client: Pick<HolderClient, 'state'>
  hello: Pick<Hello, 'tellsState'>
  live: Pick<LiveShell, 'state' | 'until'>
}

/** A command names a few programs; more than this are no command. */
const maxNames = 256

/**
 * Asks the shell for its state, one question at a time, and once for a stamp and its names. Keys of a person may
 * have done anything that a line editor can: after them it is asked again.
 */
export function createAskState({ client, hello, live }: AskStateDeps) {
  const stamp = () => (hello.tellsState ? askableAt(live.state()) : null)
  let known: PulledState | null = null
  let keys = 0
  let baseline: LiveState | null = null
  let last: Promise<unknown> = Promise.resolve()

  async function pull(names: readonly string[]): Promise<LiveState | null> {
    const id = randomUUID()
    const question = [id, ...names].map((word) => `${word}\0`).join('')
    return readLiveState((await client.state(Buffer.from(question))).toString('latin1'), id)
  }

  async function first(): Promise<LiveState | null> {
    const bytes = await client.state(new Uint8Array())
    baseline ??= readLiveState(bytes.toString('latin1'), firstId)
    return baseline
  }

  /** The names that are worth asking for, with those that were asked for at this stamp already. */
  function namesAt(at: number, wanted: readonly string[]): readonly string[] {
    const kept = known?.stamp === at ? [...known.state.asked] : []
    return [...new Set([...wanted, ...kept])].filter(isName).slice(0, maxNames)
  }

  async function ask(wanted: readonly string[]): Promise<PulledState | null> {
    await drawn(live)
    const [at, keysBefore] = [stamp(), keys]
    if (at === null || wanted.length > maxNames) return null
    const isKnown = known?.stamp === at && wanted.every((name) => known?.state.asked.has(name))
    if (isKnown) return known
    const found = baseline ?? (await first())
    const state = found === null ? null : await pull(namesAt(at, wanted))
    // Something ran meanwhile, before or after the shell wrote it down.
    if (found === null || state === null || stamp() !== at) return null
    const pulled = asPulled({ state, baseline: found, stamp: at })
    known = keys === keysBefore ? pulled : null
    return pulled
  }

  return {
    liveState(names: readonly string[] = []): Promise<PulledState | null> {
      const answer = last.then(() => ask(names))
      last = answer.catch(() => null)
      return answer
    },
    /** A person pressed a key. */
    onKeys(): void {
      keys += 1
      known = null
    },
  }
}

function asPulled(found: Omit<PulledState, 'fingerprint'>): PulledState {
  return { ...found, fingerprint: (names) => fingerprint(found.state, { names, hash }) }
}

/** The stamp at which a shell of ours waits for a command, and can say what one would mean; null when it does not. */
function askableAt(state: TerminalState): number | null {
  const { shells, exit, stamp } = state
  const [base] = shells
  if (exit !== null || shells.length > 1 || base.isByKeys || base.replaced !== null) return null
  if (base.name === 'fish' || shownIntegration(base) === 'none') return null
  return isFree(base) ? stamp : null
}

/** The holder's own question, at the first prompt. */
const firstId = 'first'
/** A path is a program of its own, and a NUL ends a name. */
const isName = (name: string) => name !== '' && !/[/\0]/.test(name)
const hash = (text: string) => createHash('sha256').update(text).digest('base64url')

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
