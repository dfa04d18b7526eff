import { connect, type Socket } from 'node:net'
import {
  type Adopted,
  type AdoptRequest,
  type Checkpoint,
  Hello,
  type HolderExit,
  type Kept,
  type Late,
  type MoveRequest,
  type Probed,
  type Quiet,
  type Uninjected,
} from '../../protocol/holder.ts'
import {
  createFrameReader,
  encodeFrame,
  encodeOffset,
  frameKind,
  injectFlag,
  injectLevelShift,
  signalTarget,
} from '../../protocol/holder-wire.ts'
import type { Mark } from '../../terminal/mark.ts'
import { hearFrame, readJson } from './holder-frames.ts'
import { answerMs, createHolderRequests, type HolderAnswers, noAnswer } from './holder-requests.ts'

/** An acknowledgement only frees memory, so it waits this long for a frame to go with. */
const acknowledgeMs = 50

export interface HolderEvents {
  onData: (offset: number, bytes: Buffer) => void
  onMark: (mark: Mark) => void
  onExit: (exit: HolderExit) => void
  onKept: (kept: Kept) => void
  onUninjected: (uninjected: Uninjected) => void
  /** A command waits for its shell, which is at work or stopped. */
  onLate?: (late: Late) => void
  /** The holder answers no terminal queries from here on. */
  onQuiet?: (quiet: Quiet) => void
  /** The holder is gone, or we left. */
  onClose: () => void
}

export interface HolderClient {
  input: (bytes: Buffer) => void
  inject: (injection: {
    id: string
    command: Buffer
    model: boolean
    asFile: boolean
    private: boolean
    /** The mark after which it was allowed: after another one it is not entered. Null: always. */
    stamp: number | null
    /** The shell that it is for; if that is not the innermost any more, it is not entered. */
    level: number
  }) => void
  /** Takes a command back that its shell has not taken yet; then it is reported as not injected. */
  withdraw: (id: string) => void
  /** Teaches the shell that reads now to speak to the holder. */
  adopt: (request: AdoptRequest) => Promise<Adopted>
  resize: (size: { rows: number; cols: number }) => void
  /** Whether the holder answers terminal queries; `onQuiet` says from where on it does not. */
  answering: (on: boolean) => void
  /** What the emulator answered to the queries before this offset, if anything. */
  answer: (offset: number, bytes: Buffer) => void
  /** For the next server; the holder keeps the last one. */
  checkpoint: (checkpoint: Checkpoint) => void
  /** Lets the holder drop the byte log before this offset. */
  forget: (before: number) => void
  signal: (target: 'foreground' | 'session', signal: number) => void
  acknowledge: (seq: number, level: number) => void
  /** When it resolves with true, all output so far is in the byte log's files; false: the holder does not answer. */
  sync: () => Promise<boolean>
  /** Of a shell inside the session's own, or of that; null when nobody can tell. */
  /** Of a shell inside the session's own, or of that. */
  probe: (pid?: number) => Promise<Probed | null>
  /** What the shell knows by name, as it wrote it down; empty when it is busy. */
  names: () => Promise<Buffer>
  /** From now on it is found in another session's folder, and writes its log there; false when it is not. */
  move: (request: MoveRequest) => Promise<boolean>
  /** Ends the shell, everything it started, and the holder. */
  end: () => void
  disconnect: () => void
}

/**
 * `open` is called with the first frame, before any later one can arrive. Whatever is asked of the holder, this and
 * all that follows, has a deadline.
 */
export function connectHolder<T>(
  path: string,
  open: (hello: Hello, client: HolderClient) => { events: HolderEvents; value: T },
): Promise<T> {
  return new Promise((resolve, reject) => {
    const socket = connect(path)
    let events: HolderEvents | null = null
    const late = setTimeout(() => socket.destroy(new Error(noAnswer)), answerMs)
    const { client, answer } = createClient(socket)

    function onFrame(kind: number, payload: Buffer): void {
      if (events !== null) return hearFrame(events, answer, { kind, payload })
      const opened = open(Hello.parse(readJson(payload)), client)
      events = opened.events
      clearTimeout(late)
      resolve(opened.value)
    }

    const read = createFrameReader((kind, payload) =>
      onFrame(kind, Buffer.from(payload.buffer, payload.byteOffset, payload.length)),
    )
    socket.on('data', (bytes: Buffer) => {
      try {
        read(bytes)
      } catch (error) {
        socket.destroy()
        reject(error)
      }
    })
    socket.on('error', reject)
    socket.on('close', () => {
      clearTimeout(late)
      reject(new Error('the holder closed the connection'))
      answer.closed()
      events?.onClose()
    })
  })
}

function createClient(socket: Socket): { client: HolderClient; answer: HolderAnswers } {
  let owed: { seq: number; level: number; timer: NodeJS.Timeout } | null = null

  function send(kind: number, payload: Uint8Array): void {
    if (!socket.writable) return
    const frame = encodeFrame(kind, payload)
    const before = takeOwed()
    socket.write(before === null ? frame : Buffer.concat([before, frame]))
  }

  function takeOwed(): Uint8Array | null {
    if (owed === null) return null
    const { seq, level, timer } = owed
    owed = null
    clearTimeout(timer)
    return encodeFrame(frameKind.ack, Buffer.concat([encodeOffset(seq), Buffer.from([level])]))
  }

  function payOwed(): void {
    const frame = takeOwed()
    if (frame !== null && socket.writable) socket.write(frame)
  }

  const { requests, answer } = createHolderRequests({ isUp: () => socket.writable, send })

  const client: HolderClient = {
    input: (bytes) => send(frameKind.input, bytes),
    inject({ id, command, model, asFile, level, stamp, ...injection }) {
      const flags =
        (stamp === null ? 0 : injectFlag.stamped) |
        (level << injectLevelShift) |
        (model ? injectFlag.model : 0) |
        (asFile ? injectFlag.asFile : 0) |
        (injection.private ? injectFlag.private : 0)
      const name = Buffer.from(id, 'latin1')
      const stamped = stamp === null ? [] : [encodeOffset(stamp)]
      const head = Buffer.from([flags, name.length])
      send(frameKind.inject, Buffer.concat([head, name, ...stamped, command]))
    },
    withdraw: (id) => send(frameKind.withdraw, Buffer.from(id, 'latin1')),
    resize({ rows, cols }) {
      const size = Buffer.alloc(4)
      size.writeUInt16BE(rows, 0)
      size.writeUInt16BE(cols, 2)
      send(frameKind.resize, size)
    },
    answering: (on) => send(frameKind.answering, Buffer.from([on ? 1 : 0])),
    answer: (offset, bytes) => send(frameKind.answer, Buffer.concat([encodeOffset(offset), bytes])),
    checkpoint: (checkpoint) => send(frameKind.checkpoint, Buffer.from(JSON.stringify(checkpoint))),
    forget: (before) => send(frameKind.forget, encodeOffset(before)),
    signal: (target, signal) => send(frameKind.signal, Buffer.from([signalTarget[target], signal])),
    acknowledge(seq, level) {
      if (owed !== null && owed.level !== level) payOwed()
      if (owed === null) owed = { seq, level, timer: setTimeout(payOwed, acknowledgeMs).unref() }
      else owed.seq = seq
    },
    ...requests,
    end: () => send(frameKind.end, new Uint8Array()),
    disconnect() {
      payOwed()
      socket.end()
    },
  }
  return {
    client,
    answer: {
      ...answer,
      closed() {
        takeOwed()
        answer.closed()
      },
    },
  }
}
