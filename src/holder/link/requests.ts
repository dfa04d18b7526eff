import {
  createFrameReader,
  decodeOffset,
  decodeOffsets,
  frameKind,
  injectFlag,
  injectLevelMask,
  injectLevelShift,
  signalTarget,
} from '../../protocol/holder/frames.ts'
import type { Current } from '../current.ts'
import type { Injection } from '../inject/state.ts'
import type { Input } from '../inject/open-input.ts'
import type { Output } from '../output/open-output.ts'
import type { createAskMembers } from '../process/end-session.ts'
import type { Home } from '../process/home.ts'
import { probeShell } from '../process/processes.ts'
import { readAdoption, readCheckpoint, readMove } from './read-requests.ts'

const offsetBytes = 8

interface RequestsOptions extends Output, Pick<Input, 'adopter' | 'keys' | 'names' | 'state'> {
  asked: Pick<ReturnType<typeof createAskMembers>, 'living'>
  home: Pick<Home, 'enter'>
  end: () => void
}

/** The answer to each kind of frame that a server sends. */
export type RequestTable = Readonly<Record<number, (payload: Buffer) => void>>

/** Reads the frames of one connection. An unknown kind is ignored: a holder outlives its server's bugs. */
export function createRequestReader(
  requests: RequestTable,
  onBroken: () => void,
): (bytes: Buffer) => void {
  const read = createFrameReader((kind, payload) =>
    requests[kind]?.(Buffer.from(payload.buffer, payload.byteOffset, payload.length)),
  )
  return (bytes) => {
    try {
      read(bytes)
    } catch {
      onBroken()
    }
  }
}

export function createRequests(options: RequestsOptions): RequestTable {
  return { ...inputRequests(options), ...outputRequests(options), [frameKind.end]: options.end }
}

function inputRequests(options: RequestsOptions): RequestTable {
  const { current, adopter, keys, names, outbox, pty, state, stream } = options

  function inject({ level, injection }: LevelInjection): void {
    const reason = reasonAgainst(current, level)
    if (reason !== null) return outbox.send(frameKind.uninjected, { id: injection.id, reason })
    const now = performance.now()
    current.injector.hear({ type: 'order', injection, place: stream.place(), now })
  }

  function input(bytes: Buffer): void {
    if (current.exit !== null || current.adopter?.takesKeys(bytes) === true) return
    if (current.typed !== 'keys') current.typed = isText(bytes) ? 'text' : 'keys'
    keys.type(bytes)
  }

  function resize(payload: Buffer): void {
    if (payload.length !== 4 || current.exit !== null) return
    const [rows, cols] = [payload.readUInt16BE(0), payload.readUInt16BE(2)]
    if (rows === 0 || cols === 0) return
    current.size = { rows, cols }
    pty.resize(current.size)
  }

  return {
    [frameKind.inject](payload) {
      const request = readInjection(payload)
      if (request !== null) inject(request)
    },
    [frameKind.input]: (payload) => input(Buffer.from(payload)),
    [frameKind.withdraw](payload) {
      const id = payload.toString('latin1')
      current.injector.hear({ type: 'withdraw', id, now: performance.now() })
    },
    [frameKind.signal]: ([target, signal = 0]) =>
      keys.signal(target === signalTarget.session ? 'session' : 'foreground', signal),
    [frameKind.resize]: resize,
    [frameKind.names]: () => names.ask(),
    [frameKind.state]: (payload) => state.ask(Buffer.from(payload)),
    [frameKind.adopt]: (payload) => adopter.adopt(readAdoption(payload)),
  }
}

interface LevelInjection {
  level: number
  injection: Injection
}

/** Flags, the id's length, the id, the stamp if there is one, the command. */
export function readInjection(payload: Buffer): LevelInjection | null {
  const [flags = 0, idLength = 0] = payload
  const isStamped = (flags & injectFlag.stamped) !== 0
  const idEnd = 2 + idLength
  const commandAt = idEnd + (isStamped ? offsetBytes : 0)
  if (payload.length < commandAt) return null
  const injection = {
    id: payload.toString('latin1', 2, idEnd),
    model: (flags & injectFlag.model) !== 0,
    asFile: (flags & injectFlag.asFile) !== 0,
    private: (flags & injectFlag.private) !== 0,
    stamp: isStamped ? decodeOffset(payload.subarray(idEnd, commandAt)) : null,
    command: Buffer.from(payload.subarray(commandAt)),
  }
  return { level: (flags >> injectLevelShift) & injectLevelMask, injection }
}

/** Letters, digits and the key that takes one back: a line editor is in no mode of its own after them. */
function isText(bytes: Buffer): boolean {
  return bytes.every((byte) => byte >= 0x20)
}

function reasonAgainst({ levels, adopter }: Current, level: number): string | null {
  if (level !== levels.length - 1) return 'the shell it was for has ended'
  return adopter === null ? null : 'a shell is being adopted'
}

function outputRequests(options: RequestsOptions): RequestTable {
  const { current, asked, home, log, outbox, pty, queries } = options

  async function move(payload: Buffer): Promise<boolean> {
    const place = readMove(payload)
    if (place === null) return false
    log.move(place)
    await home.enter(place)
    return true
  }

  return {
    [frameKind.ack]: (payload) =>
      outbox.acknowledge(decodeOffset(payload), payload[offsetBytes] ?? 0),
    [frameKind.sync]() {
      log.bytes.flush()
      outbox.send(frameKind.synced, {})
    },
    [frameKind.probe](payload) {
      const asked = payload.length < offsetBytes ? pty.pid : decodeOffset(payload)
      outbox.send(frameKind.probed, probeShell(current.exit === null ? asked : null))
    },
    [frameKind.answering]([on]) {
      queries.answering(on !== 0)
      // In the stream's own order, so that the server knows which queries were answered here.
      if (on === 0) outbox.send(frameKind.quiet, { offset: log.bytes.head() })
    },
    [frameKind.answer](payload) {
      queries.dealtWith(decodeOffset(payload))
      pty.input.push(Buffer.from(payload.subarray(offsetBytes)))
    },
    [frameKind.checkpoint](payload) {
      const checkpoint = readCheckpoint(payload)
      if (checkpoint === null) return
      log.putAside(checkpoint)
      queries.dealtWith(checkpoint.offset)
    },
    [frameKind.living]: (payload) => asked.living(decodeOffsets(payload)),
    [frameKind.forget]: (payload) => log.bytes.forget(decodeOffset(payload)),
    [frameKind.move]: (payload) =>
      void move(payload).then(
        (ok) => outbox.send(frameKind.moved, { ok }),
        () => outbox.send(frameKind.moved, { ok: false }),
      ),
  }
}
