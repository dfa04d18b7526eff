import { setTimeout as delay } from 'node:timers/promises'
import { looksSecret } from '../../../log/looks-secret.ts'
import type { Hello } from '../../../protocol/holder/holder.ts'
import { needOf } from '../../../terminal/shell/needs.ts'
import { isOver, readsSecret, secretReader, topShell } from '../../../terminal/shells.ts'
import type { Shell } from '../../../terminal/state.ts'
import type { Foreground } from '../probe/classify.ts'
import { foregroundOf } from '../../process/proc-stat.ts'
import { createProbe, readKeys } from '../probe/probe.ts'
import { readStretch } from '../byte-log/read-byte-log.ts'
import type { HolderClient } from '../holder/client.ts'
import { createPlainText } from '../run/plain-text.ts'
import { within } from '../within.ts'
import type { LiveShell } from './live-shell.ts'
import type { SecretAsked, ShellKeys } from './session.ts'

/** Between turning the echo off and reading, a program prints its question at most. */
const aboutToMs = 300
const againMs = 30
/** A kernel that takes longer is not asked any more: what it said last counts. */
const limitMs = 1_500
/** Enough of the output to hold its last line. */
const tailBytes = 4_096

interface SecretLookDeps {
  live: Pick<LiveShell, 'state' | 'look' | 'until'>
  hello: Pick<Hello, 'shellPid' | 'pts'>
  client: Pick<HolderClient, 'sync'>
  /** Of its byte log. */
  folder: string
}

/** Asks the kernel, at the moment when it matters, whether a secret is being read. The holder is not needed for that. */
export function createSecretLook({
  live,
  hello,
  client,
  folder,
}: SecretLookDeps): Pick<ShellKeys, 'secretAsked' | 'hidesInput'> {
  const { shellPid, pts } = hello

  function look(): Promise<Foreground> {
    const { pid, isSeen } = topShell(live.state())
    // A new probe remembers nothing.
    return createProbe({ shellPid: isSeen ? pid : shellPid, pts }).read()
  }

  /** A shell that reads with its own line editor is told from a prompt by its command. */
  function readerIn(seen: Foreground): string | null {
    if (seen.state === 'secret') return seen.program ?? ''
    const { run, track, pid } = topShell(live.state())
    if (seen.state !== 'prompt' || run === null || track === null) return null
    const { program = '' } = seen
    const need = needOf(run, track, { state: 'prompt', program, replaced: live.look.replaced(pid) })
    return need === 'secret' ? program : null
  }

  /** A program that has turned the echo off and does not read yet is about to, unless it goes on without. */
  async function find(): Promise<SecretAsked | null> {
    const until = performance.now() + aboutToMs
    for (;;) {
      const seen = await look()
      const program = readerIn(seen)
      if (program !== null) return { phase: 'asked', program }
      const isHidden = performance.now() <= until && (await readKeys(pts)) === 'hidden'
      if (!isHidden) return seen.state === 'prompt' ? null : likely()
      await delay(againMs)
    }
  }

  /** Behind `ssh` or `docker` nobody can know whether a secret is read, and only the words on the screen tell. */
  async function likely(): Promise<SecretAsked | null> {
    const isDone = () => isOver(live.state()) || isIdle(topShell(live.state()))
    if (isDone()) return null
    await client.sync()
    // Its end is on its way: what comes after it is for the next shell.
    if (isGone(shellPid)) await live.until((state) => (isOver(state) ? state : null), limitMs)
    if (isDone() || isGone(shellPid)) return null
    const to = live.state().head
    const range = { from: Math.max(0, to - tailBytes), to }
    const { bytes } = await readStretch(folder, range, tailBytes)
    const shown = createPlainText(() => {})
    shown.feed(bytes.toString())
    const line = shown.pending()
    return looksSecret(line) ? { phase: 'likely', question: line.trim() } : null
  }

  return {
    async secretAsked() {
      let found: SecretAsked | null = null
      const asked = find().then((answer) => (found = answer))
      const isAnswered = await within(limitMs, asked).catch(() => false)
      if (isAnswered) return found
      if (!readsSecret(live.state())) return null
      return { phase: 'asked', program: secretReader(live.state()) ?? '' }
    },
    async hidesInput() {
      const seen = await look()
      return readerIn(seen) !== null || seen.state === 'raw'
    },
  }
}

/** Nothing was begun in a shell that would have told so; its prompt may still be on the way. */
const isIdle = ({ run, typing, isMute, isUnheard }: Shell) =>
  run === null && typing.open === null && !isMute && !isUnheard

/** A shell that has ended has no terminal any more, also before its holder has said so; and nobody reads there. */
function isGone(shellPid: number): boolean {
  return (foregroundOf(shellPid) ?? 0) <= 0
}
