import { join } from 'node:path'
import type { FileFact } from '../../src/session/policy/facts.ts'
import { judge } from '../../src/session/policy/verdict.ts'
import { judgeNow } from '../../src/server/policy/judge-now.ts'
import { lookAtPath } from '../../src/server/policy/look.ts'
import { isReadBy } from '../../src/server/policy/second-opinion.ts'
import { plainShell } from '../../test/support/plain-shell.ts'
import { ms, percentile, type Row } from '../stats.ts'
import { commandsIn, createTrialFolder } from './trial-folder.ts'

const corpus = 'test/policy/corpus'
const wanted = 'p99 ≤ 5 ms'

/** One verdict over our own corpora: the pure judge with all looks in memory, at the edge, and what the shell's reader takes. */
export async function verdicts(): Promise<readonly Row[]> {
  const { facts, remove } = createTrialFolder()
  const live = plainShell()
  const commands = ['day.jsonl', 'everyday.jsonl', 'hostile.jsonl'].flatMap((name) =>
    commandsIn(join(corpus, name)),
  )
  const [pure, edge, reader]: [number[], number[], number[]] = [[], [], []]
  const timed = async (into: number[], work: () => unknown) => {
    const from = performance.now()
    await work()
    into.push(performance.now() - from)
  }
  for (let round = 0; round < 4; round++)
    for (const command of commands) {
      const files = new Map<string, FileFact>()
      for (let left = 8; left > 0; left--) {
        const { looks } = judge(command, { ...facts, live, files })
        for (const look of looks)
          files.set(look.path, {
            ...files.get(look.path),
            ...(await lookAtPath(look, facts)),
          })
        if (looks.length === 0) break
      }
      // The first round warms the compiler up, and asks the reader.
      const isCounted = round > 0
      await timed(isCounted ? pure : [], () => judge(command, { ...facts, live, files }))
      await timed(isCounted ? edge : [], () => judgeNow(command, facts, async () => live))
    }
  for (let at = 0; at < 200; at++)
    await timed(reader, () => isReadBy('bash', `ls | wc; echo ${at}`))
  remove()
  const row = (what: string, samples: readonly number[], beside = ''): Row => ({
    what: `${what}, p50 · p99`,
    figure: `${ms(percentile(samples, 0.5))} · ${ms(percentile(samples, 0.99))}`,
    beside,
  })
  return [
    row('a verdict, looks in memory', pure, wanted),
    row('a verdict, with looks at files, shell and reader cached', edge, wanted),
    row('`bash -n`, where a command is more than plain words and would run', reader),
  ]
}
