import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Seq } from '../../protocol/events/seq.ts'
import type { Verdict } from '../../session/policy/verdict.ts'
import type { WatchTasks } from './judge-now.ts'
import { createTaskBaseline, type TaskBaseline, type TaskFiles } from './task-baseline.ts'

export type SessionTasks = ReturnType<typeof createSessionTasks>

/** The tasks of a session: a change of what they do is noticed when one is judged, and agreed to when it runs. */
export function createSessionTasks(folder: string) {
  let baseline: TaskBaseline | null = null
  /** The files that a person is asked about with a call, and their changes in words. */
  const shown = new Map<Seq, { files: TaskFiles; changes: readonly string[] }>()

  return {
    /** Before the first command of the model: the workspace is as people left it. */
    async begin(workspace: string, since: number, open: readonly Seq[] = []): Promise<void> {
      // A question that was closed otherwise than by a yes shows nothing any more.
      for (const call of shown.keys()) if (!open.includes(call)) shown.delete(call)
      if (baseline !== null) return
      const file = join(folder, 'task-files.json')
      baseline = createTaskBaseline({ file, workspace, since })
      const names = await readdir(workspace).catch(() => [])
      await baseline.note(names.map((name) => join(workspace, name)))
    },
    watch(call: Seq): WatchTasks {
      shown.delete(call)
      return async (look, fact) => {
        if (baseline === null) return fact
        if (fact.kind === 'file' && fact.real !== null) await baseline.note([fact.real])
        if (look.for !== 'project' || fact.project === undefined || fact.real === null) return fact
        const { changes, files } = await baseline.changesAt(fact.real)
        const so = shown.get(call)
        shown.set(call, {
          files: new Map([...(so?.files ?? []), ...files]),
          changes: [...(so?.changes ?? []), ...changes],
        })
        return { ...fact, project: { ...fact.project, changes } }
      }
    },
    /** Only with a question that shows all of the changes a person agrees to them. */
    judged(call: Seq, { decision, reasons }: Pick<Verdict, 'decision' | 'reasons'>): void {
      const { changes } = shown.get(call) ?? { changes: [] }
      const isShown = decision === 'ask' && changes.every((change) => reasons.includes(change))
      if (!isShown || changes.length === 0) shown.delete(call)
    },
    /** The command of a call begins, since a person said yes to it if anything was shown. */
    async began(call: Seq): Promise<void> {
      const seen = shown.get(call)
      shown.delete(call)
      if (seen !== undefined) await baseline?.accept(seen.files)
    },
  }
}
