import type { Adopted, Moved, Probed } from '../../../protocol/holder/holder.ts'
import { encodeOffset, encodeOffsets, frameKind } from '../../../protocol/holder/frames.ts'
import type { HolderClient } from './client.ts'
import { setTimeout as delay } from 'node:timers/promises'
import { listProcesses, type ProcessRow } from '../../one-shot/process-table.ts'

/**
 * The time that a holder has for an answer: it looks at the kernel, or writes a few lines. One that takes longer is
 * stopped, or its disk hangs; then nobody is made to wait for it.
 */
export const answerMs = 3_000
/** It writes a few files; one that takes longer will not do it. */
const moveMs = 5_000
/** Longer than the holder tries; one of an earlier version does not know the question. */
const adoptMs = 60_000

export const noAnswer = 'the shell’s holder does not answer'

/** The requests that a holder answers, each with a deadline. */
type HolderRequests = Pick<HolderClient, 'adopt' | 'sync' | 'probe' | 'names' | 'state' | 'move'>

/** The holder's answers to them. */
export type HolderAnswers = ReturnType<typeof createHolderRequests>['answer']

interface HolderLine {
  isUp: () => boolean
  send: (kind: number, payload: Uint8Array) => void
}

export function createHolderRequests({ isUp, send }: HolderLine) {
  const syncs = createKind({ isUp, gone: true, silent: false })
  const probes = createKind<Probed | null>({ isUp, gone: null, silent: null })
  const pulls = createKind<Buffer>({ isUp, gone: Buffer.alloc(0), silent: Buffer.alloc(0) })
  const states = createKind<Buffer>({ isUp, gone: Buffer.alloc(0), silent: Buffer.alloc(0) })
  const moves = createKind({ isUp, gone: false, silent: false, ms: moveMs })
  const adoptions = createKind<Adopted>({
    isUp,
    gone: { ok: false, reason: 'the shell has ended' },
    silent: { ok: false, reason: noAnswer },
    ms: adoptMs,
  })
  const requests: HolderRequests = {
    adopt: (wanted) => adoptions.ask(() => send(frameKind.adopt, json(wanted))),
    sync: () => syncs.ask(() => send(frameKind.sync, nothing)),
    probe: (pid) =>
      probes.ask(() => send(frameKind.probe, pid === undefined ? nothing : encodeOffset(pid))),
    names: () => pulls.ask((asking) => asking === 1 && send(frameKind.names, nothing)),
    state: (question) => states.ask(() => send(frameKind.state, question)),
    move: (to) => moves.ask(() => send(frameKind.move, json(to))),
  }
  const answer = {
    synced: () => syncs.answer(true),
    probed: probes.answer,
    named: pulls.answerAll,
    stated: states.answer,
    adopted: adoptions.answer,
    moved: ({ ok }: Moved) => moves.answer(ok),
    /** Asked by the holder, before it ends: who lives in its session? One that gets no answer looks itself. */
    who: (session: number) =>
      void sessionMembers(session).then(
        (pids) => pids && send(frameKind.living, encodeOffsets(pids)),
      ),
    /** Nothing will be answered any more. */
    closed(): void {
      for (const kind of [adoptions, moves, pulls, states, syncs, probes]) kind.close()
    },
  }
  return { requests, answer }
}

interface Kind<T> extends Pick<HolderLine, 'isUp'> {
  /** The answer when there is no holder any more, and when it does not answer. */
  gone: T
  silent: T
  ms?: number
}

/** The requests of one kind, the first first: the holder answers in order. */
function createKind<T>({ isUp, gone, silent, ms = answerMs }: Kind<T>) {
  const waiting: ((answer: T) => void)[] = []

  function answerAll(answer: T): void {
    for (const resolve of waiting.splice(0)) resolve(answer)
  }

  return {
    /** A request that was given up keeps its place: its answer may still come, and is nobody else's. */
    ask(say: (asking: number) => unknown): Promise<T> {
      if (!isUp()) return Promise.resolve(gone)
      return new Promise((resolve) => {
        const late = setTimeout(resolve, ms, silent)
        waiting.push((answer) => {
          clearTimeout(late)
          resolve(answer)
        })
        say(waiting.length)
      })
    },
    answer: (answer: T) => waiting.shift()?.(answer),
    answerAll,
    close: () => answerAll(gone),
  }
}

const nothing = new Uint8Array()
const json = (value: object) => Buffer.from(JSON.stringify(value))

/** Those who end at the same time ask within it; to one alone it makes no difference. */
const gatherMs = 5
/** Those who still come are waited for, but nobody longer than this. */
const mostMs = 40

type SessionMembers = (session: number) => Promise<readonly number[] | null>

/**
 * The living processes of a session; null where nobody can tell. The whole process table has to be read for it, so one reading
 * serves all who ask before it begins.
 */
export function createSessionMembers(
  list: () => readonly ProcessRow[] | null,
  wait: (ms: number) => Promise<unknown> = delay,
): SessionMembers {
  let next: Promise<ReadonlyMap<number, readonly number[]> | null> | null = null
  let asking = 0

  async function look(): Promise<ReadonlyMap<number, readonly number[]> | null> {
    let heard = 0
    for (let waited = 0; waited < mostMs && heard < asking; waited += gatherMs) {
      heard = asking
      await wait(gatherMs)
    }
    next = null
    asking = 0
    const rows = list()
    return rows && bySession(rows)
  }

  return async (session) => {
    asking += 1
    next ??= look()
    const found = await next
    return found && (found.get(session) ?? [])
  }
}

/** One for the whole server: its holders end together. */
const sessionMembers = createSessionMembers(listProcesses)

function bySession(rows: readonly ProcessRow[]): ReadonlyMap<number, readonly number[]> {
  const found = new Map<number, number[]>()
  for (const { session, pid } of rows) {
    const members = found.get(session)
    if (members === undefined) found.set(session, [pid])
    else members.push(pid)
  }
  return found
}
