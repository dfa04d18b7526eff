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
/** Copied whole up to here: more is no help in a clipboard, and `/export` has it all. */
const copiedBytes = 5_000_000
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

/** What is known and so many bytes more, if there are any. */
async function load(client: Client, { session, run }: Wanted, limit: number): Promise<Output> {
  let output = known.get(run) ?? { text: '', to: 0, total: Infinity, missing: 0 }
  const end = output.to + limit
  // A page may end early: where one stream ends and the other begins.
  while (output.to < Math.min(end, output.total)) {
    const before = output
    const page = await client.call(routes.runOutput, {
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

export interface OutputPages {
  output: Output | null
  /** Loads the next page. */
  more(): Promise<void>
  /** The rest as well, to be copied; it is neither shown nor kept. */
  all(): Promise<Output>
}

/** A finished run's output, its first part at once. */
export function useRunOutput(session: SessionId, run: RunId): OutputPages {
  const { client } = usePage()
  const [output, setOutput] = useState(known.get(run) ?? null)
  useEffect(() => {
    const seen = known.get(run)
    if (seen) return setOutput(seen)
    let isWanted = true
    load(client, { session, run }, firstBytes).then(
      (loaded) => {
        remember(run, loaded)
        if (isWanted) setOutput(loaded)
      },
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
      const longer = await load(client, { session, run }, pageBytes)
      remember(run, longer)
      setOutput(longer)
    },
    all: () => load(client, { session, run }, copiedBytes),
  }
}
