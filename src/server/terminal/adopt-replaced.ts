import type { Result } from '../../protocol/result.ts'
import { createIdleWatch, type IdleWatch, type IdleWatchOptions } from './idle-watch.ts'
import type { Mark } from './read-mark.ts'
import { notStarted } from './run-end.ts'
import type { AdoptedShell, TerminalRun, TerminalRunEnd } from './terminal.ts'

export interface AdoptReplacedDeps {
  adopt: () => Promise<Result<AdoptedShell, string>>
  /** How the innermost shell is looked at. */
  shell: () => Omit<IdleWatchOptions, 'likely' | 'onIdle'>
}

/** What took a shell's place by `exec` is adopted without being asked: it is the same process, of the same user. */
export interface AdoptReplaced {
  /** Another shell reads in its place. */
  onReplaced: () => void
  /** Somebody asks for it: what was, or is being, done by itself counts. */
  adopt: () => Promise<Result<AdoptedShell, string>>
  /** For who wants to run something: null when nothing was replaced, else why it is not run, if so. */
  settled: (run: Pick<TerminalRun, 'by'>) => Promise<TerminalRunEnd | null> | null
  onMark: (mark: Mark) => void
  leave: () => void
}

const whatHelps = '/adopt tries again; a restart gives a new shell.'
const taken = 'another shell has taken its place'
/** It was judged for the shell before. */
const again = `The command was not run: ${taken}, which is adopted now. Run it again there.`

export function createAdoptReplaced(deps: AdoptReplacedDeps): AdoptReplaced {
  let attempt: { adopted: Promise<Result<AdoptedShell, string>>; isOver: boolean } | null = null
  let watch: IdleWatch | null = null

  function onReplaced(): void {
    if (attempt !== null) return
    const begun = { adopted: deps.adopt(), isOver: false }
    attempt = begun
    void begun.adopted.finally(() => {
      begun.isOver = true
    })
  }

  function leave(): void {
    watch?.leave()
    watch = null
  }

  /** What a person typed may have become another shell; only the kernel tells when that reads. */
  function look(): void {
    watch?.leave()
    watch = createIdleWatch({ ...deps.shell(), likely: () => false, onIdle: ifReplaced })
  }

  function ifReplaced(): void {
    leave()
    if (deps.shell().replacedBy() === 'shell') onReplaced()
  }

  async function settle({ by }: Pick<TerminalRun, 'by'>): Promise<TerminalRunEnd | null> {
    const isNews = attempt?.isOver === false
    const adopted = await attempt?.adopted
    if (adopted?.ok === false)
      return notStarted(
        `The command was not run: ${taken}, and was not adopted. ${adopted.error} ${whatHelps}`,
      )
    attempt = null
    return isNews && by === 'model' ? notStarted(again) : null
  }

  return {
    onReplaced,
    async adopt() {
      const adopted = await attempt?.adopted
      if (adopted?.ok === true) return adopted
      attempt = null
      return deps.adopt()
    },
    settled: (run) => (attempt === null ? null : settle(run)),
    onMark(mark) {
      if (mark.kind === 'output-start' && /\bexec\b/.test(mark.typed?.text ?? '')) look()
      else if (mark.kind === 'prompt' || mark.kind === 'output-end') leave()
    },
    leave,
  }
}
