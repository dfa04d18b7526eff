import { describe, expect, test } from 'vitest'
import fc from 'fast-check'
import { classify, type Facts, type Member, type Keys } from './classify.ts'
import type { Doing } from './read-thread.ts'

const shell = 10
const member = (doing: Doing, pid = 20): Member => ({ pid, program: 'p', doing })
const facts = (doings: Doing[], keys: Keys | null, more: Partial<Facts> = {}): Facts => ({
  shell,
  members: doings.map((doing) => member(doing)),
  cut: false,
  keys,
  ...more,
})

describe('what the foreground does', () => {
  test.each<[Doing[], Keys | null, string]>([
    [['read'], 'line', 'waiting, certain'],
    [['poll'], 'line', 'waiting, certain'],
    [['busy', 'read'], 'line', 'waiting, certain'],
    [['busy'], null, 'running, certain'],
    [['serve'], 'line', 'running, certain'],
    [['linked'], 'line', 'running, certain'],
    [['blind'], 'line', 'running'],
    [['either'], 'line', 'unknown'],
    [['hidden'], 'line', 'unknown'],
    [['read'], 'hidden', 'secret, certain'],
    [['either'], 'hidden', 'secret, certain'],
    [['blind'], 'hidden', 'secret'],
    [['hidden', 'busy'], 'hidden', 'secret'],
    [['linked'], 'hidden', 'running, certain'],
    [['read'], 'raw', 'raw, certain'],
    [['poll', 'busy'], 'raw', 'raw, certain'],
    [['hidden'], 'raw', 'raw'],
    [['linked'], 'raw', 'raw'],
    [['read'], null, 'unknown'],
    [[], null, 'unknown'],
  ])(
    '[PROBE1] follows from what the kernel says alone: %j with keys %j is %s',
    (doings, keys, said) => {
      const { state, certain } = classify(facts(doings, keys))
      expect(certain ? `${state}, certain` : state).toBe(said)
    },
  )

  test('[PROBE1] the line editor of the shell itself is the prompt, its plain read is a program', () => {
    const of = (doing: Doing, program: string) =>
      classify({ ...facts([], 'raw'), members: [{ pid: shell, program, doing }] }).state
    expect([of('poll', 'bash'), of('read', 'bash')]).toEqual(['prompt', 'raw'])
    expect([of('poll', 'fish'), of('read', 'zsh')]).toEqual(['prompt', 'prompt'])
  })

  test('[PROBE3] names the program that asks', () => {
    const members = [member('busy', 20), { pid: 21, program: 'cat', doing: 'read' as const }]
    expect(classify({ ...facts([], 'line'), members })).toEqual({
      state: 'waiting',
      certain: true,
      pid: 21,
      program: 'cat',
    })
  })

  test('[PROBE3] a program is said to wait only if one was seen waiting for the terminal', () => {
    const doing = fc.constantFrom<Doing>('either', 'serve', 'linked', 'blind', 'hidden', 'busy')
    const keys = fc.constantFrom<(Keys | null)[]>('line', 'hidden', 'raw', null)
    fc.assert(
      fc.property(fc.array(doing), keys, fc.boolean(), (doings, keys, cut) => {
        expect(classify(facts(doings, keys, { cut })).state).not.toBe('waiting')
      }),
    )
  })

  test('[PROBE1] what was not all looked at is unknown, unless someone was seen asking', () => {
    expect(classify(facts(['busy'], null, { cut: true })).state).toBe('unknown')
    expect(classify(facts(['linked'], 'line', { cut: true })).state).toBe('unknown')
    expect(classify(facts(['busy', 'read'], 'line', { cut: true })).state).toBe('waiting')
  })
})
