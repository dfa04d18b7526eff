import type { Hello, Kept } from '../../protocol/holder.ts'
import { missingBytes } from './byte-log-reader.ts'
import type { HolderClient } from './holder-client.ts'
import { type Mark, readMark } from './read-mark.ts'
import { evolveShell, startState } from './shell-state.ts'
import type { TypedReport } from './terminal.ts'
import { createTypedRuns, type TypedRuns } from './typed-runs.ts'

export interface ReportTypedDeps {
  hello: Hello
  client: Pick<HolderClient, 'acknowledge' | 'sync'>
  /** The byte log's folder. */
  folder: string
  kept: () => Kept
  /** Resolves when it is on disk. */
  onTyped: (report: TypedReport) => Promise<void>
}

export interface TypedReporter extends TypedRuns {
  /** Resolves when all that was heard so far is on disk. */
  told: () => Promise<void>
}

function isAtPrompt({ marks, shellPid }: Hello): boolean {
  return marks.map(readMark).reduce(evolveShell, startState(shellPid)).phase === 'prompt'
}

/** Tells in order what a person ran by typing it; what is on disk the holder may forget. */
export function reportTyped({
  hello,
  client,
  folder,
  kept,
  onTyped,
}: ReportTypedDeps): TypedReporter {
  const { generation, shellPid } = hello
  let told = Promise.resolve()
  /** An earlier server may have recorded one whose end no mark tells any more. */
  let isUnsure = hello.marks.length > 0
  const typed = createTypedRuns({
    shellPid,
    onStart: (start) => tell(async () => onTyped({ type: 'typed-started', generation, ...start })),
    onEnd: (ended, seq) =>
      tell(async () => {
        const omitted = await omittedOf(ended.ptyFrom, ended.ptyTo ?? ended.ptyFrom)
        await onTyped({ type: 'typed-ended', generation, ...ended, omitted })
        // The end mark itself stays: it says where the shell is.
        client.acknowledge(seq - 1)
      }),
  })

  function tell(work: () => Promise<void>): void {
    told = told.then(work)
  }

  async function omittedOf(from: number, to: number): Promise<number> {
    if (from >= (kept().missingBefore ?? Number.POSITIVE_INFINITY)) return 0
    await client.sync()
    return missingBytes(folder, { from, to })
  }

  function over(): void {
    isUnsure = false
    tell(async () => onTyped({ type: 'typed-over', generation }))
  }

  function onMark(mark: Mark): void {
    typed.onMark(mark)
    if (isUnsure && mark.kind === 'prompt' && mark.pid === shellPid) over()
  }

  for (const mark of hello.marks.map(readMark)) typed.onMark(mark)
  if (isAtPrompt(hello)) over()
  return { ...typed, onMark, told: () => told }
}
