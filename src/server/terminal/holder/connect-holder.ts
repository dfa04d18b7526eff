import {
  Adopted,
  HolderExit,
  Kept,
  Late,
  Moved,
  Probed,
  Quiet,
  Uninjected,
  Hello,
} from '../../../protocol/holder/holder.ts'
import {
  decodeOffset,
  frameKind,
  createFrameReader,
  encodeFrame,
  encodeOffset,
  injectFlag,
  injectLevelShift,
  signalTarget,
} from '../../../protocol/holder/frames.ts'
import type { HolderEvents, HolderClient } from './client.ts'
import { type HolderAnswers, answerMs, createHolderRequests, noAnswer } from './requests.ts'
import { connect, type Socket } from 'node:net'
import { decodeMark, readMark } from './read-mark.ts'

/** Output and marks first: the rest is rarer. */
function hearFrame(
  events: HolderEvents,
  answer: HolderAnswers,
  { kind, payload }: { kind: number; payload: Buffer },
) {
  switch (kind) {
    case frameKind.data:
      return events.onData(decodeOffset(payload), payload.subarray(8))
    case frameKind.mark: {
      const mark = decodeMark(payload)
      return mark === null ? undefined : events.onMark(readMark(mark))
    }
    case frameKind.exit:
      return events.onExit(HolderExit.parse(readJson(payload)))
    case frameKind.kept:
      return events.onKept(Kept.parse(readJson(payload)))
    case frameKind.uninjected:
      return events.onUninjected(Uninjected.parse(readJson(payload)))
    case frameKind.late:
      return events.onLate?.(Late.parse(readJson(payload)))
    case frameKind.quiet:
      return events.onQuiet?.(Quiet.parse(readJson(payload)))
    case frameKind.synced:
      return answer.synced()
    case frameKind.probed:
      return answer.probed(Probed.parse(readJson(payload)))
    case frameKind.adopted:
      return answer.adopted(Adopted.parse(readJson(payload)))
    case frameKind.moved:
      return answer.moved(Moved.parse(readJson(payload)))
    case frameKind.named:
      return answer.named(Buffer.from(payload))
    case frameKind.stated:
      return answer.stated(Buffer.from(payload))
    case frameKind.who:
      return answer.who(decodeOffset(payload))
    default:
      // A newer holder may say more than this server understands.
      return undefined
  }
}

function readJson(payload: Buffer): unknown {
  return JSON.parse(payload.toString('utf8'))
}

/** An acknowledgement only frees memory, so it waits this long for a frame to go with. */
const acknowledgeMs = 50

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
  socket.on('close', takeOwed)
  return { client, answer }
}
