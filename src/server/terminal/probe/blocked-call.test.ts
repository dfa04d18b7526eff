import { expect, test } from 'vitest'
import { parseStat } from './read-process.ts'
import { readSyscall, fromPoll, fromSelect } from '../../../base/blocked-call.ts'
import { parseKeys } from './probe.ts'

test('[PROBE1] reads blocked calls by the numbers of the machine', () => {
  const line = (number: number) => `${number} 0x3 0x7ffd0 0x10 0x0 0x0 0x0 0x7ff 0x7f1\n`
  expect(readSyscall(line(0), 'x64')).toEqual({ call: 'read', args: [3, 0x7ffd0, 16] })
  expect(readSyscall(line(0), 'arm64')).toBeNull()
  expect(readSyscall(line(63), 'arm64')?.call).toBe('read')
  expect([270, 7, 281, 426].map((n) => readSyscall(line(n), 'x64')?.call)).toEqual([
    'select',
    'poll',
    'epoll',
    'opaque',
  ])
  expect([72, 73, 22].map((n) => readSyscall(line(n), 'arm64')?.call)).toEqual([
    'select',
    'poll',
    'epoll',
  ])
  for (const other of ['running\n', '-1 0x7ffd 0x7f1\n', '', '35 0x1\n']) {
    expect(readSyscall(other, 'x64')).toBeNull()
  }
})

test('[PROBE1] reads the sets of poll and select from memory, those for input only', () => {
  const entry = (descriptor: number, events: number) => {
    const bytes = Buffer.alloc(8)
    bytes.writeInt32LE(descriptor, 0)
    bytes.writeInt16LE(events, 4)
    return bytes
  }
  // Read, read and write, write only, switched off.
  expect(fromPoll(Buffer.concat([entry(0, 1), entry(5, 5), entry(6, 4), entry(-1, 1)]))).toEqual([
    0, 5,
  ])
  expect(fromSelect(Buffer.from([0b1000_0001, 0, 0b10]))).toEqual([0, 7, 17])
})

test('[PROBE1] reads a process whose name holds brackets, blanks and newlines', () => {
  const rest = 'S 7 8 9 34816 11 4194304 0 0 0 0 1 2 0 0 20 0 3 0 123 4096 0'
  expect(parseStat(5, `5 (a) R 1 (\n b) ${rest}`)).toEqual({
    pid: 5,
    program: 'a) R 1 (\n b',
    state: 'S',
    parent: 7,
    group: 8,
    foreground: 11,
    threads: 3,
    usedTicks: 3,
    isEnding: false,
  })
})

test('[PROBE1] reads how the terminal takes keys', () => {
  const settings = (...flags: string[]) =>
    `speed 38400 baud; rows 40;\nintr = ^C;\n${flags.join(' ')}\n`
  expect(parseKeys(settings('isig', 'icanon', 'echo', '-echonl'))).toBe('line')
  expect(parseKeys(settings('icanon', '-echo', 'echoe'))).toBe('hidden')
  expect(parseKeys(settings('-icanon', '-echo'))).toBe('raw')
  expect(parseKeys('stty: no such device')).toBeNull()
})
