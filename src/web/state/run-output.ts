import { useEffect, useState } from 'react'
import type { Client } from '../../client/connect.ts'
import { routes } from '../../protocol/routes.ts'
import type { RunId, SessionId } from '../../protocol/seq.ts'
import { usePage } from './page.ts'

/** What is loaded of a run's output. */
export interface Output {
  text: string
  /** Bytes from the run's first. */
  to: number
  total: number
  missing: number
}

/** Enough for what is shown at first; the rest comes when somebody asks for it. */
const firstBytes = 16_000
const pageBytes = 100_000
/** Outputs kept for scrolling back to. */
const remembered = 200

const known = new Map<RunId, Output>()

function remember(run: RunId, output: Output): void {
  known.delete(run)
  known.set(run, output)
  const [oldest] = known.keys()
  if (known.size > remembered && oldest !== undefined) known.delete(oldest)
}

interface Wanted {
  session: SessionId
  run: RunId
}

async function load(client: Client, { session, run }: Wanted, limit: number): Promise<Output> {
  let output = known.get(run) ?? { text: '', to: 0, total: 0, missing: 0 }
  const end = output.to + limit
  // A page may end early: where one stream ends and the other begins.
  do {
    const before = output
    const page = await client.call(routes.runOutput, {
      params: { id: session, run },
      query: { from: before.to, limit: end - before.to },
    })
    output = {
      text: before.text + page.text,
      to: page.to,
      total: page.total,
      missing: before.missing + page.missing,
    }
    if (output.to <= before.to) break
  } while (output.to < output.total && output.to < end)
  remember(run, output)
  return output
}

export interface OutputPages {
  output: Output | null
  /** Loads the next page; false when there was none. */
  more(): Promise<void>
}

/** A finished run's output, its first part at once. */
export function useRunOutput(session: SessionId, run: RunId | null): OutputPages {
  const { client } = usePage()
  const [output, setOutput] = useState(run === null ? null : (known.get(run) ?? null))
  useEffect(() => {
    const seen = run === null ? undefined : known.get(run)
    if (seen) setOutput(seen)
    if (run === null || seen) return
    let isWanted = true
    load(client, { session, run }, firstBytes).then(
      (loaded) => isWanted && setOutput(loaded),
      // It is asked for again when the entry is next seen.
      () => undefined,
    )
    return () => {
      isWanted = false
    }
  }, [client, session, run])
  return {
    output,
    async more() {
      if (run === null) return
      setOutput(await load(client, { session, run }, pageBytes))
    },
  }
}
