import { assertNever } from '../../base/assert-never.ts'
import type { CallStatus } from '../../protocol/events/call.ts'
import type { RunEntry, RunResult, CallEntry } from '../fold/entry.ts'

const tenth = 100
const minute = 60_000
const hour = 60 * minute

/** "0.3s", "12.4s", "2m 05s", "1h 02m": three digits say enough. */
export function duration(ms: number): string {
  const rounded = Math.round(ms / tenth) * tenth
  if (rounded < minute) return `${(rounded / 1_000).toFixed(1)}s`
  const two = (count: number) => String(Math.floor(count)).padStart(2, '0')
  if (rounded < hour) return `${Math.floor(rounded / minute)}m ${two((rounded % minute) / 1_000)}s`
  return `${Math.floor(rounded / hour)}h ${two((rounded % hour) / minute)}m`
}

const notes = {
  shell: 'waiting for the shell…',
  waiting: 'waiting for input…',
  secret: 'waiting for a secret…',
  screen: 'using the screen…',
  ending: 'silent, stopping soon…',
  stopping: 'stopping…',
  killing: 'killing…',
  disk_full: 'the disk is full: output is not kept',
} as const

/** These say more than an exit code: it is only what our own stop left behind. */
const telling: ReadonlySet<CallStatus> = new Set(['cancelled', 'timeout', 'lost'])

/** The label beside a run: "0.3s ✓", "12.4s ✗ (exit 1)", or a word. */
export function runLabel(entry: RunEntry): string {
  const { state, answer } = entry
  switch (state.phase) {
    case 'pending':
      return entry.ask?.state.phase === 'open' ? 'needs approval' : 'queued'
    case 'running':
      if (state.note) return notes[state.note]
      return answer?.status === 'waiting' ? statusWords.waiting : 'running…'
    case 'settled':
      if (!state.result) return statusWords[answer?.status ?? 'lost']
      return answer && telling.has(answer.status)
        ? `${statusWords[answer.status]} after ${duration(state.result.durationMs)}`
        : resultLabel(state.result)
    default:
      return assertNever(state)
  }
}

type RunOutlook = 'pending' | 'running' | 'good' | 'bad' | 'odd'

/** How a run stands, at a glance; `odd` is what neither went well nor failed by itself. */
export function runOutcome({ state, answer }: RunEntry): RunOutlook {
  if (state.phase !== 'settled') return state.phase
  if (!state.result) return answer?.status === 'done' ? 'good' : 'odd'
  if (state.result.outcome !== 'ended') return 'odd'
  return state.result.exitCode === 0 ? 'good' : 'bad'
}

function resultLabel(result: RunResult): string {
  switch (result.outcome) {
    case 'ended':
      return endLabel(result)
    case 'not_started':
      return 'not started'
    case 'shell_exited':
      return `${duration(result.durationMs)} (the shell exited)`
    case 'lost':
      return 'lost'
    default:
      return assertNever(result.outcome)
  }
}

function endLabel({ exitCode, signal, durationMs }: RunResult): string {
  if (signal !== null) return `${duration(durationMs)} ✗ (${signal})`
  // A shell without full integration may not say how a command ended.
  if (exitCode === null) return duration(durationMs)
  return `${duration(durationMs)} ${exitCode === 0 ? '✓' : `✗ (exit ${exitCode})`}`
}

/** The sign before a command: how it was asked for. */
const signs: Readonly<Partial<Record<RunEntry['source'], string>>> = { bang: '!', slash: '/shell ' }

/** "/shell git status (repo: backend)", "in /src/backend": a run's own words, and its folder. */
export function runTitle({ source, command, repo, cwd, private: isPrivate }: RunEntry) {
  const sign = source === 'bang' && isPrivate ? '!!' : (signs[source] ?? '')
  return { sign, command, repo: repoWords(repo), folder: cwd === null ? '' : `in ${cwd}` }
}

export const repoWords = (repo: string | null) => (repo === null ? '' : ` (repo: ${repo})`)

/** The author of a run that no sign before it tells of. */
export const sourceTag = (source: RunEntry['source']) =>
  source in signs ? null : source === 'acp' ? 'editor' : source

/** The output at hand: live, or the record without its header and status line, which the label says better. */
export function shownOutput({ state, answer }: RunEntry): string {
  if (state.phase === 'running') return state.live.text
  const content = answer?.content ?? ''
  const isWhole = content.startsWith('$ ')
  return isWhole ? content.split('\n').slice(1, -1).join('\n') : content
}

/** How a call was answered, in a word. */
const statusWords: Record<CallStatus, string> = {
  done: 'done',
  error: 'failed',
  cancelled: 'cancelled',
  timeout: 'timed out',
  denied: 'denied',
  skipped: 'skipped',
  waiting: 'waiting for input',
  busy: 'not run: the terminal was busy',
  lost: 'lost',
}

/** The subject of a call, as a person would say it: `@src/a.ts`, `/task list`, `activate_skill …`. */
export function callTitle({ name, args, by }: CallEntry): string {
  if (name === 'read_file') return `@${args}`
  if (name === 'terminal_execute') return `$ ${valuesOf(args)}`
  if (name === 'terminal_write') return `types ${valuesOf(args)}`
  return by.kind !== 'model' && args.startsWith('/') ? args : `${name} ${valuesOf(args)}`.trim()
}

/** JSON's marks say nothing to people. */
function valuesOf(args: string): string {
  try {
    const parsed: unknown = JSON.parse(args)
    return typeof parsed === 'object' && parsed !== null
      ? Object.values(parsed).map(String).join(' ')
      : String(parsed)
  } catch {
    return args
  }
}

/** The answer for people: a file that was read for the model is not shown to them again. */
export function callAnswer({ name, answer }: CallEntry): string {
  const isForModel = name === 'read_file' || name === 'activate_skill'
  if (answer === null || (isForModel && answer.status === 'done')) return ''
  return answer.content
}

export function callLabel(entry: CallEntry): string {
  if (entry.answer) return statusWords[entry.answer.status]
  return entry.ask?.state.phase === 'open' ? 'needs approval' : 'running…'
}
