import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { TerminalLife } from './shown-terminal.ts'
import { notResizable, wantedSize } from './create-live-view.ts'

const none: TerminalLife = { at: 'none', shown: null }
const side = fc.integer({ min: 1, max: 2_000 })
const viewport = fc.record({ rows: side, cols: side, visible: fc.boolean() })

test('[LANE14] every visible viewer can show the size, down to 80×24, and one of them needs it', () => {
  fc.assert(
    fc.property(fc.array(viewport), (viewports) => {
      const visible = viewports.filter((each) => each.visible)
      const fitting = {
        rows: Math.max(24, Math.min(1_000, ...visible.map(({ rows }) => rows))),
        cols: Math.max(80, Math.min(1_000, ...visible.map(({ cols }) => cols))),
      }
      expect(wantedSize(none, viewports)).toEqual(visible.length === 0 ? null : fitting)
    }),
  )
})

test('[LANE14] without a shell there is nothing to resize, and with a model’s run nothing to fit', () => {
  expect(notResizable({ rows: 30, cols: 90 }, { life: none, viewports: [] })).toBe(
    'there is no shell',
  )
  const run = { order: { by: 'model' }, isTaken: false, need: null }
  const state = { shells: [{ run, phase: 'running' }], exit: null }
  const life = { at: 'live', shown: { shell: { state: () => state } } } as unknown as TerminalLife
  const viewports = [{ rows: 30, cols: 90, visible: true }]
  expect(wantedSize(life, viewports)).toBeNull()
  expect(notResizable({ rows: 0, cols: 90 }, { life, viewports })).toMatch('whole numbers')
  expect(notResizable({ rows: 30, cols: 90 }, { life, viewports })).toMatch('looking')
  expect(notResizable({ rows: 30, cols: 90 }, { life, viewports: [] })).toBeNull()
})
