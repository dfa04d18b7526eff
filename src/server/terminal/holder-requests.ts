import type { Adopted, Moved, Probed } from '../../protocol/holder.ts'
import { encodeOffset, frameKind } from '../../protocol/holder-wire.ts'
import type { HolderClient } from './holder-client.ts'

/**
 * How long a holder has for an answer: it looks at the kernel, or writes a few lines. One that takes longer is
 * stopped, or its disk hangs; then nobody is made to wait for it.
 */
export const answerMs = 3_000
/** It writes a few files; one that takes longer will not do it. */
const moveMs = 5_000
/** Longer than the holder tries; one of an earlier version does not know the question. */
const adoptMs = 60_000

export const noAnswer = 'the shell’s holder does not answer'

/** What is asked of a holder and answered, each with a deadline. */
export type HolderRequests = Pick<HolderClient, 'adopt' | 'sync' | 'probe' | 'names' | 'move'>

/** What the holder said to it. */
export interface HolderAnswers {
  synced: () => void
  probed: (probed: Probed) => void
  named: (bytes: Buffer) => void
  adopted: (adopted: Adopted) => void
  moved: (moved: Moved) => void
  /** Nothing will be answered any more. */
  closed: () => void
}

/** Those who asked, the first first: the holder answers in order. */
type Waiting<T> = ((answer: T) => void)[]

interface Request<T> {
  waiting: Waiting<T>
  ms?: number
  /** The answer when there is no holder any more, and when it does not answer. */
  gone: T
  silent: T
  say: () => void
}

export interface HolderLine {
  isUp: () => boolean
  send: (kind: number, payload: Uint8Array) => void
}

export function createHolderRequests({ isUp, send }: HolderLine): {
  requests: HolderRequests
  answer: HolderAnswers
} {
  const syncs: Waiting<boolean> = []
  const probes: Waiting<Probed | null> = []
  const pulls: Waiting<Buffer> = []
  const adoptions: Waiting<Adopted> = []
  const moves: Waiting<boolean> = []

  /** One that was given up keeps its place: its answer may still come, and is nobody else's. */
  function request<T>({ waiting, ms = answerMs, gone, silent, say }: Request<T>): Promise<T> {
    return new Promise((resolve) => {
      if (!isUp()) return resolve(gone)
      const late = setTimeout(resolve, ms, silent)
      waiting.push((answer) => {
        clearTimeout(late)
        resolve(answer)
      })
      say()
    })
  }

  const nothing = new Uint8Array()
  const json = (value: object) => Buffer.from(JSON.stringify(value))

  const requests: HolderRequests = {
    adopt: (wanted) =>
      request<Adopted>({
        waiting: adoptions,
        ms: adoptMs,
        gone: goneWhileAdopting,
        silent: { ok: false, reason: noAnswer },
        say: () => send(frameKind.adopt, json(wanted)),
      }),
    sync: () =>
      request({
        waiting: syncs,
        gone: true,
        silent: false,
        say: () => send(frameKind.sync, nothing),
      }),
    probe: (pid) =>
      request<Probed | null>({
        waiting: probes,
        gone: null,
        silent: null,
        say: () => send(frameKind.probe, pid === undefined ? nothing : encodeOffset(pid)),
      }),
    names: () =>
      request({
        waiting: pulls,
        gone: Buffer.alloc(0),
        silent: Buffer.alloc(0),
        say() {
          if (pulls.length === 1) send(frameKind.names, nothing)
        },
      }),
    move: (place) =>
      request({
        waiting: moves,
        ms: moveMs,
        gone: false,
        silent: false,
        say: () => send(frameKind.move, json(place)),
      }),
  }
  const answer: HolderAnswers = {
    synced: () => syncs.shift()?.(true),
    probed: (probed) => probes.shift()?.(probed),
    named(bytes) {
      for (const resolve of pulls.splice(0)) resolve(bytes)
    },
    adopted: (adopted) => adoptions.shift()?.(adopted),
    moved: ({ ok }) => moves.shift()?.(ok),
    closed() {
      for (const resolve of adoptions.splice(0)) resolve(goneWhileAdopting)
      for (const resolve of moves.splice(0)) resolve(false)
      for (const resolve of pulls.splice(0)) resolve(Buffer.alloc(0))
      for (const resolve of syncs.splice(0)) resolve(true)
      for (const resolve of probes.splice(0)) resolve(null)
    },
  }
  return { requests, answer }
}

const goneWhileAdopting: Adopted = { ok: false, reason: 'the shell has ended' }
