import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { ShellName } from '../../src/protocol/events/shell.ts'
import { startEditing } from './support/edited-line.ts'

/** Keys, and what a plain editor makes of them. */
interface Line {
  before: readonly string[]
  after: readonly string[]
}

const edits: Readonly<Record<string, (line: Line) => Line>> = {
  '\x1b[D': ({ before, after }) => ({
    before: before.slice(0, -1),
    after: [...before.slice(-1), ...after],
  }),
  '\x1b[C': ({ before, after }) => ({
    before: [...before, ...after.slice(0, 1)],
    after: after.slice(1),
  }),
  '\x7f': ({ before, after }) => ({ before: before.slice(0, -1), after }),
  '\x01': ({ before, after }) => ({ before: [], after: [...before, ...after] }),
  '\x05': ({ before, after }) => ({ before: [...before, ...after], after: [] }),
}

const press = (line: Line, key: string): Line =>
  edits[key]?.(line) ?? { before: [...line.before, key], after: line.after }

const letters = Array.from('abz09 "\'$&|;(){}[]\\#~*é漢😀')
const key = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...letters) },
  { weight: 2, arbitrary: fc.constantFrom(...Object.keys(edits)) },
)
const keys = fc.array(key, { maxLength: 12 })

test.each(ShellName.options)(
  '[TERM164] %s: a half-typed line is as a plain editor would have it, whatever is typed while a command is brought in and runs',
  async (shell) => {
    const own = await startEditing(shell)
    onTestFinished(own.close)
    const history = fc.record({ half: keys, entering: keys, running: keys, first: fc.boolean() })
    await fc.assert(
      fc.asyncProperty(history, async ({ half, entering, running, first }) => {
        const begun = ['x', ...half]
        const start = begun.reduce(press, { before: [], after: [] })
        fc.pre(start.before.length + start.after.length > 0)
        const all = [...begun, ...entering, ...running]
        const { before, after } = all.reduce(press, { before: [], after: [] })
        own.type('\x05\x15')
        own.type(begun.join(''))
        let onRunning: () => void = () => {}
        const isRunning = new Promise<void>((resolve) => {
          onRunning = resolve
        })
        const end = own.run('cat gate', {
          by: 'person',
          onStatus: (status) => (status === 'running' ? onRunning() : undefined),
        })
        for (const each of first ? entering : [entering.join('')]) own.type(each)
        await isRunning
        for (const each of running) own.type(each)
        await own.open('gate')
        expect(await end).toMatchObject({ outcome: 'ended', exitCode: 0 })
        expect(await own.line()).toEqual({
          text: [...before, ...after].join(''),
          cursor: before.length,
        })
      }),
      { numRuns: 25 },
    )
  },
)
