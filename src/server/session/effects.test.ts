import { expect, test } from 'vitest'
import type { Report } from '../../session/record/report.ts'
import { createEffects } from './effects.ts'
import { simulate } from '../../../test/support/simulate.ts'

test('[CORE5] what came of an effect and can never be recorded closes it as failed', async () => {
  const simulation = simulate('tags')
  await simulation.happen({ type: 'submit', text: 'go', as: 'auto' })
  const reports: Report[] = []
  const effects = createEffects({
    async perform(work, context) {
      if (work.type !== 'call-model') return
      const error = { code: 'model_retry', message: 'wait', fatal: false, retryAfterMs: 1.5 }
      await context.report({ type: 'reply-retried', step: work.step, error })
      await context.report({ type: 'terminal-busy', call: work.step, run: 1 })
    },
    report: async (report) => reports.push(report) > 2,
    diagnose: () => undefined,
    loadedHead: 0,
  })
  effects.reconcile(simulation.state)
  await effects.stop()
  expect(reports.map(({ type }) => type)).toEqual(['reply-retried', 'terminal-busy', 'reply-ended'])
  expect(reports[2]).toMatchObject({ stop: 'failed', error: { code: 'internal' } })
})

test('[CORE5] an effect whose key vanishes and returns while it ends is started again by its end', async () => {
  const simulation = simulate('tags')
  await simulation.happen({ type: 'submit', text: 'go', as: 'auto' })
  const asked = simulation.state
  const started: string[] = []
  let release = () => {}
  const secondStart = new Promise<void>((isStarted) => {
    const effects = createEffects({
      async perform(work) {
        if (started.push(work.key) === 2) return isStarted()
        await new Promise<void>((resolve) => {
          release = resolve
        })
      },
      report: async () => true,
      diagnose: () => undefined,
      loadedHead: 0,
    })
    effects.reconcile(asked)
    effects.reconcile({ ...asked, step: null })
    effects.reconcile(asked)
    expect(started).toHaveLength(1)
    release()
  })
  await secondStart
  expect(new Set(started).size).toBe(1)
})
