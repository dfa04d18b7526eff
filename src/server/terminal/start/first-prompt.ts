import type { ShellName } from '../../../protocol/events/shell.ts'
import { isOver } from '../../../terminal/shells.ts'
import { isNestedPrompt } from '../shell/find-adoptable.ts'
import { captureLog } from '../run/output.ts'
import type { Front, ShellSession } from '../shell/session.ts'

type Starting = Pick<ShellSession, 'state' | 'ready' | 'front' | 'onReplaced'>

/** `late`: it lives, but has shown no prompt of ours; what is in front instead. */
export type FirstPrompt = { kind: 'ready' } | { kind: 'ended' } | { kind: 'late'; notice: string }

export interface FirstPromptOptions {
  /** 0 = none. */
  limitMs: number
  /** The shell that was started. */
  shell: ShellName
}

/** Most shells are there by then; what is looked at costs a little. */
const [firstLookMs, maxLookMs] = [250, 1_000]

/** Waits for a new shell's first prompt, as long as it makes sense to wait. */
export async function awaitFirstPrompt(
  opened: Starting,
  { limitMs, shell }: FirstPromptOptions,
): Promise<FirstPrompt> {
  const end = limitMs === 0 ? Number.POSITIVE_INFINITY : performance.now() + limitMs
  for (let ms = firstLookMs; ; ms = Math.min(ms * 2, maxLookMs)) {
    const left = end - performance.now()
    if (await opened.ready(Math.min(ms, left))) return { kind: 'ready' }
    if (isOver(opened.state())) return { kind: 'ended' }
    const front = await opened.front(shell)
    if (isReplaced(front, shell)) return { kind: 'late', notice: replacedNotice(front) }
    if (left <= ms) return { kind: 'late', notice: lateNotice(front, { limitMs, shell }) }
  }
}

/** A shell that a start file put in the place of ours is adopted, as soon as it is at its prompt. */
export async function followLate(opened: Starting, shell: ShellName): Promise<void> {
  for (;;) {
    if ((await opened.ready(maxLookMs)) || isOver(opened.state())) return
    if (isReplaced(await opened.front(shell), shell)) return opened.onReplaced()
  }
}

function isReplaced({ seen, isReplaced, isOwn }: Front, shell: ShellName): boolean {
  return isOwn && isNestedPrompt(seen, 'shell') && (isReplaced || seen.program !== shell)
}

/** A sentence with the last words of the shell. */
export async function endedSentence(
  opened: Pick<ShellSession, 'sync' | 'head'>,
  logFolder: string,
): Promise<string> {
  await opened.sync()
  const to = opened.head()
  const { head } = await captureLog(logFolder, { from: Math.max(0, to - saidBytes), to })
  const said = head.trim() === '' ? '' : ` It said: ${head.trim().slice(-saidChars)}`
  return `The shell ended before its first prompt.${said}`
}

const [saidBytes, saidChars] = [2_000, 500]
const waits = 'What you run waits for the prompt.'

function replacedNotice({ seen }: Front): string {
  return `A start file put ${seen.program ?? 'another shell'} in the place of the shell; it is adopted.`
}

function lateNotice(front: Front, { limitMs, shell }: FirstPromptOptions): string {
  return `The shell showed no prompt within ${limitMs / 1000} seconds: ${inFront(front, shell)} ${waits}`
}

function inFront({ seen, isOwn, child }: Front, shell: ShellName): string {
  const name = isOwn ? 'its start file' : (seen.program ?? 'something')
  if (asks.has(seen.state) || (seen.state === 'raw' && isOwn))
    return `${name} reads in the terminal. You can answer it there.`
  if (seen.state === 'raw') return `${name} has taken the terminal. You can use it there.`
  const running = isOwn || seen.program === shell ? child : (seen.program ?? child)
  return running === null
    ? 'its start files take long, or wait for something.'
    : `${running} runs in front of it.`
}

const asks = new Set(['waiting', 'secret', 'prompt'])
