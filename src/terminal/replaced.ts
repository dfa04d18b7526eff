import { act, type Step, stay } from './effect.ts'
import { enterAtPrompt, finishRun, notRun, reasonNotToRun } from './run-life.ts'
import type { Moment } from './shell.ts'
import type { Shell } from './state.ts'

const judgedBefore = 'another shell has taken its place, which is adopted now. Run it again there'

/** Another shell reads in its place: adopted once, until somebody does it by hand. */
export function adoptReplaced(shell: Shell): Step<Shell> {
  if (shell.replaced !== null) return stay(shell)
  return act({ ...shell, execs: null, replaced: { phase: 'adopting' } }, { type: 'adopt' })
}

/** The adoption is over; what waited for it goes in at the prompt that follows, or nowhere. */
export function hearAdopted(shell: Shell, error: string | null, moment: Moment): Step<Shell> {
  if (shell.replaced?.phase !== 'adopting') return stay(shell)
  const adopted: Shell = { ...shell, replaced: null }
  // A model's command was judged for the shell before.
  if (error === null && shell.run?.awaits && shell.run.order.by === 'model')
    return finishRun(adopted, { ...notRun(judgedBefore), isMoved: true })
  if (error === null) return enterAtPrompt(adopted, moment)
  const failed: Shell = { ...shell, replaced: { phase: 'failed', why: error } }
  const no = reasonNotToRun(failed)
  return failed.run?.awaits && no !== null ? finishRun(failed, notRun(no)) : stay(failed)
}
