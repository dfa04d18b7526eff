import { routes } from '../../protocol/http/routes.ts'
import type { RunId, SessionId } from '../../protocol/events/seq.ts'
import type { RunOutput } from '../../protocol/http/session-view.ts'
import type { Calls } from '../wire/call.ts'

/** The loaded part of a run's output, from its first byte. */
type Output = Omit<RunOutput, 'from'>

interface Wanted {
  session: SessionId
  run: RunId
}

/** The rest comes when somebody asks for it. */
const firstBytes = 16_000
const pageBytes = 100_000
/** Copied whole up to here: more is no help in a clipboard, and `/export` has it all. */
const copiedBytes = 5_000_000
/** Outputs kept for scrolling back to. */
const remembered = 200

/** The outputs of finished runs, a page at a time. */
export function createRunOutputs({ call }: Calls) {
  const outputs = new Map<RunId, Output>()

  /** The loaded part and so many bytes more, if there are any. */
  async function load({ session, run }: Wanted, limit: number): Promise<Output> {
    let output = outputs.get(run) ?? { text: '', to: 0, total: Infinity, missing: 0 }
    const end = output.to + limit
    // A page may end early: where one stream ends and the other begins.
    while (output.to < Math.min(end, output.total)) {
      const before = output
      const page = await call(routes.runOutput, {
        params: { id: session, run },
        query: { from: before.to, limit: Math.min(end - before.to, pageBytes) },
      })
      output = {
        text: before.text + page.text,
        to: page.to,
        total: page.total,
        missing: before.missing + page.missing,
      }
      if (output.to <= before.to) break
    }
    return output
  }

  async function remember(wanted: Wanted, limit: number): Promise<Output> {
    const { run } = wanted
    const output = await load(wanted, limit)
    outputs.delete(run)
    outputs.set(run, output)
    const [oldest] = outputs.keys()
    if (outputs.size > remembered && oldest !== undefined) outputs.delete(oldest)
    return output
  }

  return {
    /** The part that is loaded already. */
    known: (run: RunId) => outputs.get(run) ?? null,
    /** Enough for what is shown at first. */
    first: (wanted: Wanted) => remember(wanted, firstBytes),
    more: (wanted: Wanted) => remember(wanted, pageBytes),
    /** The rest as well, to be copied; it is not kept. */
    all: (wanted: Wanted) => load(wanted, copiedBytes),
  }
}
