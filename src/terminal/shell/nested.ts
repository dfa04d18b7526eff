import type { Moment, Mark } from '../incoming.ts'
import { type Exit, newShell, type Shell, type TerminalState } from '../state.ts'
import { act, inShell, type Step, stay } from '../shells.ts'
import { endWithShell, finishRun, notRun } from './run.ts'
import { enterAtPrompt, reasonNotToRun, shellHears } from './shell.ts'

/** Shells that left before anybody asked for them; a server that comes back asks within moments. */
const maxGone = 16

/** Another shell speaks, or a known one speaks anew. The shell around it has to know where. */
export function enterShell(
  state: TerminalState,
  mark: Mark & { kind: 'integrated' },
  moment: Moment,
): Step<TerminalState> {
  const { level, pid, offset: ptyAt, isAway } = mark
  const isNew = level === state.shells.length && level > 0
  const added = newShell({ level, pid, ptyAt, isByKeys: true, isSeen: !isAway })
  const entered: TerminalState = isNew ? { ...state, shells: [...state.shells, added] } : state
  const around = inShell(entered, level - 1, (shell) => shellHears(handedOver(shell), mark, moment))
  const own = inShell(around.state, level, (shell) => shellHears(shell, mark, moment))
  return { state: own.state, effects: [...around.effects, ...own.effects] }
}

/** A person who adopts a shell gets the keyboard of the run that it is in. */
function handedOver(shell: Shell): Shell {
  return shell.run === null ? shell : { ...shell, run: { ...shell.run, isTaken: true } }
}

/** The shells from this level on are gone, the innermost first, and what ran in them with them. */
export function leaveShells(state: TerminalState, mark: Mark, moment: Moment): Step<TerminalState> {
  const [base, ...inner] = state.shells
  if (mark.level < 1) return stay(state)
  const left = inner.filter((shell) => shell.level >= mark.level).toReversed()
  const exit = { code: null, signal: null, time: mark.time }
  const ended = left.map((shell) => {
    const { level, ptyAt } = shell
    const step = endWithShell(shell, exit)
    const report = { type: 'shell-left', level, ptyAt } as const
    return act(step.state, ...step.effects, { type: 'report', report })
  })
  const gone = [...ended.flatMap((step) => remembered(step.state, exit)), ...state.gone]
  const rest: TerminalState = {
    ...state,
    shells: [base, ...inner.filter((shell) => shell.level < mark.level)],
    gone: gone.slice(0, maxGone),
  }
  const around = inShell(rest, mark.level - 1, (shell) => shellHears(shell, mark, moment))
  const effects = [...ended.flatMap((step) => step.effects), ...around.effects]
  return { state: around.state, effects }
}

/** Somebody may ask for the end of what ran in it, or has to say that it is on disk. */
function remembered(shell: Shell, exit: Exit): readonly { shell: Shell; exit: Exit }[] {
  return shell.last !== null || shell.track?.loaded ? [{ shell, exit }] : []
}

const judgedBefore = 'another shell has taken its place, which is adopted now. Run it again there'

/** Another shell reads in its place: adopted once, until somebody does it by hand. */
export function adoptReplaced(shell: Shell): Step<Shell> {
  if (shell.replaced !== null) return stay(shell)
  return act({ ...shell, execs: null, replaced: { phase: 'adopting' } }, { type: 'adopt' })
}

/** The adoption is over; a run that waited for it goes in at the prompt that follows, or nowhere. */
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
