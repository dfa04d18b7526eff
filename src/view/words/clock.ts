import type { ReplyEntry } from '../fold/entry.ts'

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' })
const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' })
const date = new Intl.DateTimeFormat(undefined, { dateStyle: 'short' })

const isToday = (at: number, now: number) => date.format(at) === date.format(now)

/** "12s", "2m 05s": how long something has been waited for. */
export function wholeSeconds(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000))
  if (seconds < 60) return `${seconds}s`
  return `${Math.floor(seconds / 60)}m ${String(seconds % 60).padStart(2, '0')}s`
}

/** "14:05", and the day as well when it is not today. */
export function clockTime(at: number, now: number): string {
  return isToday(at, now) ? clock.format(at) : `${day.format(at)}, ${clock.format(at)}`
}

/** The day when it is not today, else the time: where there is room for one of them. */
export function dayOrTime(at: number, now: number): string {
  return (isToday(at, now) ? clock : day).format(at)
}

/** "340 B", "1.2 KB", "50 MB". */
export function bytes(count: number): string {
  if (count < 1_000) return `${count} B`
  const isSmall = count < 1_000_000
  const value = count / (isSmall ? 1_000 : 1_000_000)
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${isSmall ? 'KB' : 'MB'}`
}

/** The thoughts of a reply as they are shown, while they come and afterwards. */
export interface ShownThoughts {
  text: string
  ms: number | null
  /** More of them may come. */
  isThinking: boolean
}

/** Null for a reply without any. */
export function shownThoughts({ reply }: ReplyEntry): ShownThoughts | null {
  if (reply.phase === 'settled')
    return reply.thoughts ? { ...reply.thoughts, isThinking: false } : null
  const { thinking, live } = reply
  if (!thinking || (thinking.live.text === '' && thinking.ms === null)) return null
  const isThinking = thinking.ms === null && live.text === ''
  return { text: thinking.live.text, ms: thinking.ms, isThinking }
}
