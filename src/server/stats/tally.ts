import type { ToolRequest, ToolResponse } from '../../protocol/events/call.ts'
import type { Event } from '../../protocol/events/event.ts'
import type { RunEnd, RunSource, RunStart } from '../../protocol/events/run.ts'
import type { Seq } from '../../protocol/events/seq.ts'
import type { Message } from '../../protocol/events/message.ts'
import type { Price, Spent } from '../../protocol/events/turn.ts'
import { limits } from '../../protocol/limits.ts'
import { addReply, costOf, unspent, addUsage, hasUsage } from '../../log/meter.ts'
import { noUsage } from '../../log/state.ts'
import { programsIn } from './programs.ts'

/** How often each time was seen. Times over a second are kept to three digits, so that it stays small. */
export type Histogram = Map<number, number>

export function note(histogram: Histogram, ms: number): void {
  const value = coarse(Math.max(0, Math.round(ms)))
  histogram.set(value, (histogram.get(value) ?? 0) + 1)
}

function coarse(ms: number): number {
  if (ms < 1_000) return ms
  const unit = 10 ** (Math.floor(Math.log10(ms)) - 2)
  return Math.round(ms / unit) * unit
}

/** The smallest time that so much of all stays within; null when there is none. */
export function percentile(histogram: Histogram, part: number): number | null {
  const wanted = Math.ceil(total(histogram) * part)
  let seen = 0
  for (const [ms, count] of [...histogram].sort(([a], [b]) => a - b)) {
    seen += count
    if (seen >= wanted) return ms
  }
  return null
}

export function total(histogram: Histogram): number {
  return [...histogram.values()].reduce((sum, count) => sum + count, 0)
}

export const dayMs = 86_400_000

/** The counts of one day (UTC); a run counts on the day it began. */
export interface DayTally {
  first: number
  last: number
  runs: Map<RunSource, number>
  private: number
  ended: number
  failed: number
  start: Histogram
  end: Histogram
  programs: Map<string, number>
  skills: Map<string, number>
  models: Map<string, Spent>
}

interface OpenCall {
  at: number
  day: DayTally
  /** It waited for a person or for another run; how long says nothing about us. */
  hasWaited: boolean
  skill: string | null
  /** Its run: when it began, and how long the command itself took once that is known. */
  run: { at: number; durationMs: number | null } | null
}

/** A session so far: what is counted, and what its open calls and runs still need. */
export interface Tally {
  head: Seq
  days: Map<number, DayTally>
  calls: Map<Seq, OpenCall>
  runs: Map<Seq, { start: RunStart; day: DayTally }>
  /** Calls and typed runs that have the terminal, or wait for it. */
  terminal: Set<Seq>
  /** The price of the model that is talked to. */
  price: Price | null
}

export function emptyTally(): Tally {
  const [days, calls, runs] = [new Map(), new Map(), new Map()]
  return { head: 0, days, calls, runs, terminal: new Set(), price: null }
}

/** Takes the next event of a session in. A log is never changed, so a tally is never counted anew. */
export function count(tally: Tally, event: Event): void {
  tally.head = event.seq
  const day = dayOf(tally, event.at)
  if (event.type === 'tool_request') requested(tally, event, day)
  if (event.type === 'elicitation_request') asked(tally.calls.get(event.request))
  if (event.type === 'run_start') started(tally, event, day)
  if (event.type === 'run_end') ended(tally, event)
  if (event.type === 'tool_response') answered(tally, event)
  if (event.type === 'epoch_start') tally.price = event.price ?? null
  if (event.type === 'message' && event.role === 'assistant') replied(tally, event, day)
}

/** A name of its own for a model that nobody named, or beyond the cap. */
const unnamed = 'other models'

function replied({ price }: Tally, event: Message & { role: 'assistant' }, day: DayTally): void {
  const usage = addUsage(event.usage, event.retried ?? noUsage)
  if (!hasUsage(usage)) return
  const own = event.by.name ?? unnamed
  const isCounted = day.models.has(own) || day.models.size < limits.meteredModels
  const model = isCounted ? own : unnamed
  const before = day.models.get(model) ?? unspent(model)
  day.models.set(model, addReply(before, usage, costOf(event, price)))
}

function dayOf({ days }: Tally, at: number): DayTally {
  const key = Math.floor(at / dayMs)
  const day = days.get(key) ?? emptyDay(at)
  day.first = Math.min(day.first, at)
  day.last = Math.max(day.last, at)
  days.set(key, day)
  return day
}

function emptyDay(at: number): DayTally {
  return {
    first: at,
    last: at,
    runs: new Map(),
    private: 0,
    ended: 0,
    failed: 0,
    start: new Map(),
    end: new Map(),
    programs: new Map(),
    skills: new Map(),
    models: new Map(),
  }
}

function requested(tally: Tally, { seq, at, run, skill }: ToolRequest, day: DayTally): void {
  if (run === undefined && skill === undefined) return
  const isShared = run?.lane === 'terminal'
  const hasWaited = isShared && tally.terminal.size > 0
  if (isShared) tally.terminal.add(seq)
  tally.calls.set(seq, { at, day, hasWaited, skill: skill ?? null, run: null })
}

function asked(call: OpenCall | undefined): void {
  if (call) call.hasWaited = true
}

function started(tally: Tally, start: RunStart, day: DayTally): void {
  add(day.runs, start.source)
  if (start.private) day.private += 1
  tally.runs.set(start.seq, { start, day })
  const call = start.request === null ? undefined : tally.calls.get(start.request)
  if (start.request === null) tally.terminal.add(start.seq)
  if (call === undefined) return
  call.run = { at: start.at, durationMs: null }
  if (!call.hasWaited) note(day.start, start.at - call.at)
}

function ended(tally: Tally, end: RunEnd): void {
  const run = tally.runs.get(end.start)
  if (run === undefined) return
  const { start, day } = run
  tally.runs.delete(end.start)
  tally.terminal.delete(start.request ?? start.seq)
  const call = start.request === null ? undefined : tally.calls.get(start.request)
  if (call?.run) call.run.durationMs = end.durationMs
  const isWell = wellOf(end)
  if (isWell !== null) day.ended += 1
  if (isWell === false) day.failed += 1
  if (!start.private && isKnownProgram(end))
    for (const name of new Set(programsIn(start.command))) addName(day.programs, name)
}

/** Null when nobody knows: a shell may not say how a command ended. */
function wellOf({ outcome, exitCode, signal }: RunEnd): boolean | null {
  if (outcome !== 'ended' || signal !== null) return false
  return exitCode === null ? null : exitCode === 0
}

/** A program that the shell did not find may be anything that was typed: a password, too. */
function isKnownProgram({ outcome, exitCode }: RunEnd): boolean {
  return outcome === 'ended' && exitCode !== 127
}

function answered(tally: Tally, { request, at, status }: ToolResponse): void {
  const call = tally.calls.get(request)
  if (call === undefined) return
  tally.calls.delete(request)
  const { run, day, skill } = call
  if (run === null) tally.terminal.delete(request)
  else if (run.durationMs !== null) note(day.end, at - run.at - run.durationMs)
  if (skill !== null && status === 'done') addName(day.skills, skill)
}

function add<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

/** Names of one day in one session; a script that makes up more of them is not what is asked about. */
const maxNames = 500

function addName(counts: Map<string, number>, name: string): void {
  if (counts.has(name) || counts.size < maxNames) add(counts, name)
}
