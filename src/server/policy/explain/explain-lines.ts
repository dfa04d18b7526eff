import { setMaxListeners } from 'node:events'
import { availableParallelism } from 'node:os'
import { z } from 'zod'
import { ApprovalMode } from '../../../protocol/events/approval-mode.ts'
import type { Verdict } from '../../../session/policy/verdict.ts'
import { createSlots } from '../../one-shot/slots.ts'
import type { ExplainPlace } from './explain.ts'
import { createAfterExplainer } from './explain-after.ts'
import { type ExplainedShell, openExplainedShell } from './open-explained-shell.ts'

/** A line of the input: a command, and those that ran in its shell before. More fields are for whoever wrote it. */
const Line = z.object({
  command: z.string(),
  pre: z.array(z.string()).nullish(),
  mode: ApprovalMode.nullish(),
})
type Line = z.infer<typeof Line>

/** The answer to a line. */
export type Explained = (Told & { command: string }) | { error: string }

type Told = Pick<Verdict, 'decision' | 'grade' | 'reasons' | 'effective' | 'causes'>

/** Some of them wait for a shell's own reader. */
const judgedAtOnce = 16

interface Waiting {
  line: Line
  resolve(explained: Explained): void
  reject(error: unknown): void
}

/** Explains many lines: those that come together are asked together, and each is answered once. */
export function createLineExplainer(place: ExplainPlace) {
  let fresh: Promise<ExplainedShell> | null = null
  const explainAfter = createAfterExplainer(place)
  const slots = createSlots(2 * availableParallelism())
  const stop = new AbortController()
  // Each line that waits for its turn listens.
  setMaxListeners(0, stop.signal)
  const underWay = new Set<Promise<void>>()

  /** Nothing ran in this shell: it serves all of them. */
  async function explainFresh(waiting: readonly Waiting[]): Promise<void> {
    fresh ??= openExplainedShell(place)
    const shell = await fresh
    await shell.prepare(waiting.map(({ line }) => line.command))
    for (let at = 0; at < waiting.length; at += judgedAtOnce)
      await Promise.all(
        waiting.slice(at, at + judgedAtOnce).map(async ({ line, resolve }) => {
          resolve(answer(line, await shell.judge(line.command, line.mode ?? 'guarded')))
        }),
      )
  }

  /** The same commands before lead to the same state: one shell serves all that share them. */
  async function explainGroup(pre: readonly string[], waiting: readonly Waiting[]): Promise<void> {
    const commands = waiting.map(({ line }) => ({
      command: line.command,
      mode: line.mode ?? 'guarded',
    }))
    const verdicts = await explainAfter(pre, commands)
    for (const [at, { line, resolve }] of waiting.entries()) {
      const verdict = verdicts[at]
      if (verdict !== undefined) resolve(answer(line, verdict))
    }
  }

  function start(waiting: readonly Waiting[], work: () => Promise<void>): void {
    const done = work().catch((error: unknown) => {
      for (const { reject } of waiting) reject(error)
    })
    underWay.add(done)
    void done.finally(() => underWay.delete(done))
  }

  async function inTurn(work: () => Promise<void>): Promise<void> {
    const release = await slots.take(stop.signal)
    if (release === null) throw new Error('it was stopped')
    await work().finally(release)
  }

  return {
    /** Explains lines as they are; the answers come in their order, each as soon as it can. */
    explain(lines: readonly (Buffer | null)[]): readonly Promise<Explained>[] {
      const groups = new Map<string, Waiting[]>()
      const answers = lines.map((bytes) => {
        const line = readLine(bytes)
        if ('error' in line) return Promise.resolve(line)
        return new Promise<Explained>((resolve, reject) => {
          const key = JSON.stringify(line.pre ?? [])
          groups.set(key, [...(groups.get(key) ?? []), { line, resolve, reject }])
        })
      })
      for (const waiting of groups.values()) {
        const pre = waiting[0]?.line.pre ?? []
        if (pre.length === 0) start(waiting, () => explainFresh(waiting))
        else start(waiting, () => inTurn(() => explainGroup(pre, waiting)))
      }
      return answers
    },
    async close(): Promise<void> {
      stop.abort()
      await Promise.all(underWay)
      await fresh?.then((shell) => shell.close()).catch(() => undefined)
    },
  }
}

function answer({ command }: Line, verdict: Told): Explained {
  return explained(command, verdict)
}

/** A verdict for programs. */
export function explained(command: string, verdict: Told): Explained {
  const { decision, grade, reasons, effective, causes = [] } = verdict
  return { command, decision, grade, reasons, effective, ...(causes.length > 0 && { causes }) }
}

function readLine(bytes: Buffer | null): Line | { error: string } {
  if (bytes === null) return { error: 'the line is too long' }
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return { error: 'the line is not JSON' }
  }
  const parsed = Line.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  return { error: `${issue?.path.join('.') || 'the line'}: ${issue?.message ?? 'not valid'}` }
}
