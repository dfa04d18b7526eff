import type { AdoptRequest, Checkpoint, MoveRequest } from '../protocol/holder.ts'
import {
  decodeOffset,
  frameKind,
  injectFlag,
  injectLevelMask,
  injectLevelShift,
  signalTarget,
} from '../protocol/holder-wire.ts'
import type { Injection } from './injection.ts'

/** What a server may ask of a holder. */
export interface Requests {
  input: (bytes: Buffer) => void
  inject: (injection: Injection, level: number) => void
  resize: (size: { rows: number; cols: number }) => void
  signal: (target: 'foreground' | 'session', signal: number) => void
  acknowledge: (seq: number, level: number) => void
  sync: () => void
  /** Null: the shell that the holder started. */
  probe: (pid: number | null) => void
  end: () => void
  answering: (on: boolean) => void
  answer: (offset: number, bytes: Buffer) => void
  checkpoint: (checkpoint: Checkpoint) => void
  forget: (before: number) => void
  names: () => void
  adopt: (request: AdoptRequest) => void
  move: (request: MoveRequest) => void
  withdraw: (id: string) => void
}

type Read = (requests: Requests, payload: Buffer) => void

const readers: Readonly<Record<number, Read>> = {
  [frameKind.input]: (requests, payload) => requests.input(Buffer.from(payload)),
  [frameKind.inject]: readInjection,
  [frameKind.resize]: readSize,
  [frameKind.signal]: (requests, [target, signal = 0]) =>
    requests.signal(target === signalTarget.session ? 'session' : 'foreground', signal),
  [frameKind.ack]: (requests, payload) =>
    requests.acknowledge(decodeOffset(payload), payload[offsetBytes] ?? 0),
  [frameKind.sync]: (requests) => requests.sync(),
  [frameKind.probe]: (requests, payload) =>
    requests.probe(payload.length < offsetBytes ? null : decodeOffset(payload)),
  [frameKind.end]: (requests) => requests.end(),
  [frameKind.answering]: (requests, [on]) => requests.answering(on !== 0),
  [frameKind.answer]: (requests, payload) =>
    requests.answer(decodeOffset(payload), Buffer.from(payload.subarray(offsetBytes))),
  [frameKind.checkpoint]: readCheckpoint,
  [frameKind.forget]: (requests, payload) => requests.forget(decodeOffset(payload)),
  [frameKind.names]: (requests) => requests.names(),
  [frameKind.adopt]: readAdoptRequest,
  [frameKind.move]: readMoveRequest,
  [frameKind.withdraw]: (requests, payload) => requests.withdraw(payload.toString('latin1')),
}

const offsetBytes = 8
/** A screen with its scrollback is far below it; with all else a hello says it must fit a frame. */
const maxCheckpointBytes = 4 * 1024 * 1024
/** The scripts of three shells are a tenth of it. */
const maxAdoptBytes = 512 * 1024

/** Reads one frame. What is malformed or unknown is ignored: a holder outlives its server's bugs. */
export function readRequest(requests: Requests, kind: number, payload: Buffer): void {
  readers[kind]?.(requests, payload)
}

function readCheckpoint(requests: Requests, payload: Buffer): void {
  if (payload.length > maxCheckpointBytes) return
  try {
    // From our own server, over a socket no one else can open: taken as it is, and given back so.
    requests.checkpoint(JSON.parse(payload.toString('utf8')))
  } catch {
    // Malformed: the last one is still good.
  }
}

function readAdoptRequest(requests: Requests, payload: Buffer): void {
  if (payload.length > maxAdoptBytes) return
  // From our own server, of our own version: taken as it is.
  const request: AdoptRequest = JSON.parse(payload.toString('utf8'))
  requests.adopt(request)
}

function readMoveRequest(requests: Requests, payload: Buffer): void {
  // From our own server, of our own version: taken as it is.
  const request: MoveRequest = JSON.parse(payload.toString('utf8'))
  requests.move(request)
}

function readSize(requests: Requests, payload: Buffer): void {
  if (payload.length !== 4) return
  const [rows, cols] = [payload.readUInt16BE(0), payload.readUInt16BE(2)]
  if (rows > 0 && cols > 0) requests.resize({ rows, cols })
}

/** Flags, the id's length, the id, the stamp if there is one, the command. */
function readInjection(requests: Requests, payload: Buffer): void {
  const [flags = 0, idLength = 0] = payload
  const isStamped = (flags & injectFlag.stamped) !== 0
  const idEnd = 2 + idLength
  const commandAt = idEnd + (isStamped ? offsetBytes : 0)
  if (payload.length < commandAt) return
  const injection = {
    id: payload.toString('latin1', 2, idEnd),
    model: (flags & injectFlag.model) !== 0,
    asFile: (flags & injectFlag.asFile) !== 0,
    private: (flags & injectFlag.private) !== 0,
    stamp: isStamped ? decodeOffset(payload.subarray(idEnd, commandAt)) : null,
    command: Buffer.from(payload.subarray(commandAt)),
  }
  requests.inject(injection, (flags >> injectLevelShift) & injectLevelMask)
}
