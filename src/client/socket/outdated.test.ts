import { protocolVersion } from '../../protocol/http/routes.ts'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createSocket } from './socket.ts'

/** A server that takes every ticket, and then says these. */
function scripted(frames: readonly object[]) {
  const listeners = new Map<string, (event: object) => void>()
  const hear = (frame: object) => listeners.get('message')?.({ data: JSON.stringify(frame) })
  const socket = {
    binaryType: '',
    send: (said: string) => said.includes('"ticket"') && frames.forEach(hear),
    close: () => {},
    addEventListener: (type: string, listen: (event: object) => void) =>
      void listeners.set(type, listen),
  }
  queueMicrotask(() => listeners.get('open')?.({}))
  return socket
}

test.each([
  [
    'a frame nobody knows',
    [{ type: 'ready', protocol: protocolVersion }, { type: 'from the future' }],
  ],
  ['another protocol', [{ type: 'ready', protocol: 1_000 }]],
])('[CLIENT7] %s is no reason to come back ten times a second', async (_, frames) => {
  const open = vi.fn(() => scripted(frames))
  const socket = createSocket({
    url: 'http://localhost',
    ticket: async () => 't',
    open,
    // Ten minutes of such a storm.
    wait: async (ms, signal) => {
      if (open.mock.calls.length < 6_000 && ms < 10_000) return
      await new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve()))
    },
  })
  onTestFinished(socket.close)
  const followed = socket.follow({
    session: 'session-1',
    after: 0,
    signal: new AbortController().signal,
    onFrames: () => {},
  })
  await expect(followed).rejects.toThrow('Reload the page')
  expect([socket.getState(), open.mock.calls.length]).toEqual(['outdated', 1])
})
