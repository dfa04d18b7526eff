import { limits } from '../../protocol/limits.ts'

/** Bounds of what one connection may cost. Tests tighten these; nothing else does. */
export const httpBounds = {
  bodyBytes: limits.bodyBytes,
  clientQueueBytes: limits.clientQueueBytes,
  heartbeatMs: limits.heartbeatMs,
  /** A replay waits for the client above this, so that a long log is not taken for a slow reader. */
  replayBytes: 256 * 1024,
  /** A replay whose client takes nothing for so long is given up. */
  stallMs: 30_000,
  /** How long a dropped client may still read what it was sent, before its connection is cut. */
  graceMs: 5_000,
  /** Between the WebSocket's opening and its ticket. */
  ticketWaitMs: 5_000,
  pingMs: 20_000,
  missedPings: 2,
  /** Sessions one tab can follow on its socket. */
  subscriptions: 50,
  /** A socket request is an id and a number. */
  messageBytes: 64 * 1024,
  agentSessions: limits.agentSessions,
  /** A long workspace path, percent-encoded, still fits. */
  urlBytes: 16 * 1024,
  headerBytes: 32 * 1024,
  /** Browsers send some twenty. */
  headers: 100,
  headersMs: 10_000,
  /** The largest body takes milliseconds over loopback; a body that trickles is an attack. */
  requestMs: 30_000,
  keepAliveMs: 10_000,
  /** The rest of a body that is read though its request is answered: a client that still sends hears why. */
  restBytes: 1024 * 1024,
  restMs: 500,
  /** Most programs may have 1,024 files open; who has shown no token leaves first. */
  connections: 1_000,
  /** Pings and pongs of a client between two of our pings; a browser sends one. */
  controlFrames: 20,
}
export type HttpBounds = Record<keyof typeof httpBounds, number>
