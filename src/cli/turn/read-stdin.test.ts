import { PassThrough } from 'node:stream'
import { afterEach, expect, test, vi } from 'vitest'
import { readStdin } from '../commands/prompt.ts'

afterEach(() => void vi.useRealTimers())

test('[CLI28] all that is piped in is read, however slowly it comes after its first byte', async () => {
  vi.useFakeTimers()
  const stdin = new PassThrough()
  const onSilence = vi.fn()
  const text = readStdin(stdin, { onSilence })
  stdin.write('a ')
  await vi.advanceTimersByTimeAsync(60_000)
  stdin.write(Buffer.from([0xc3]))
  stdin.end(Buffer.from([0xa4]))
  expect(await text).toBe('a ä')
  expect(onSilence).not.toHaveBeenCalled()
})

test('[CLI28] an open pipe that nobody writes to does not hang a command', async () => {
  vi.useFakeTimers()
  const onSilence = vi.fn()
  const text = readStdin(new PassThrough(), { onSilence })
  await vi.advanceTimersByTimeAsync(3_000)
  expect(await text).toBe('')
  expect(onSilence).toHaveBeenCalledOnce()
})
