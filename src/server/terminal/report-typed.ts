import type { Kept } from '../../protocol/holder.ts'
import { missingBytes } from './byte-log-reader.ts'
import type { HolderClient } from './holder-client.ts'
import type { Mark } from './read-mark.ts'
import type { TypedReport } from './terminal.ts'
import { createTypedRuns, type TypedRuns } from './typed-runs.ts'

export interface ReportTypedDeps {
  generation: number
  shellPid: number
  level: number
  client: Pick<HolderClient, 'acknowledge' | 'sync'>
  /** The byte log's folder. */
  folder: string
  kept: () => Kept
  /** Resolves when it is on disk. */
  onTyped: (report: TypedReport) => Promise<void>
  /** Resolves when what went on in shells inside this one is on disk. */
  inside: () => Promise<unknown> | null
  diagnose: (message: string, error: unknown) => void
}

export interface TypedReporter extends TypedRuns {
  /** Resolves when all that was heard so far is on disk. */
  told: () => Promise<void>
  /** All that an earlier server may have known was heard: was that up to a prompt? */
  caughtUp: (isAtPrompt: boolean) => void
}

/** Tells in order what a person ran by typing it; what is on disk the holder may forget. */
export function reportTyped(deps: ReportTypedDeps): TypedReporter {
  const { generation, shellPid, level, client, folder, kept, onTyped, inside, diagnose } = deps
  let told = Promise.resolve()
  /** An earlier server may have recorded one whose end no mark tells any more. */
  let isUnsure = false
  const typed = createTypedRuns({
    shellPid,
    onStart: (start) => tell(async () => onTyped({ type: 'typed-started', generation, ...start })),
    onEnd: (ended, seq) =>
      tell(async () => {
        await inside()
        const omitted = await omittedOf(ended.ptyFrom, ended.ptyTo ?? ended.ptyFrom)
        await onTyped({ type: 'typed-ended', generation, ...ended, omitted })
        // The end mark itself stays: it says where the shell is.
        client.acknowledge(seq - 1, level)
      }),
  })

  function tell(work: () => Promise<void>): void {
    told = told
      .then(work)
      .catch((error: unknown) => diagnose('what was typed could not be told', error))
  }

  async function omittedOf(from: number, to: number): Promise<number> {
    if (from >= (kept().missingBefore ?? Number.POSITIVE_INFINITY)) return 0
    await client.sync()
    return missingBytes(folder, { from, to })
  }

  function over(): void {
    isUnsure = false
    tell(async () => {
      await inside()
      await onTyped({ type: 'typed-over', generation })
    })
  }

  function onMark(mark: Mark): void {
    typed.onMark(mark)
    if (isUnsure && mark.kind === 'prompt' && mark.pid === shellPid) over()
  }

  return {
    ...typed,
    onMark,
    told: () => told,
    caughtUp(isAtPrompt) {
      isUnsure = true
      if (isAtPrompt) over()
    },
  }
}
