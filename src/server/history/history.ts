import fuzzysort from 'fuzzysort'
import type { HistoryQuery, InputKind, PastInput } from '../../protocol/http/completion.ts'
import type { Event } from '../../protocol/events/event.ts'
import { limits } from '../../protocol/limits.ts'
import type { SessionId } from '../../protocol/events/seq.ts'
import { programsIn } from '../stats/programs.ts'
import type { EventStore } from '../store/store.ts'
import { inputsOf, type InputsSoFar, newestFirst, type StoredInput } from './past-inputs.ts'

/** The inputs of a team's people. Their logs have them: this only remembers what was read there. */
export interface History {
  /** Newest first, each text once. */
  past(team: string, kind: InputKind): Promise<readonly PastInput[]>
  find(team: string, query: HistoryQuery): Promise<readonly PastInput[]>
  /** How often which program was run. */
  programs(team: string): Promise<ReadonlyMap<string, number>>
  /** Events were stored. */
  note(stored: { team: string; session: SessionId; events: readonly Event[] } & InputsSoFar): void
  forget(session: SessionId): void
}

interface Team {
  /** Null once the store was read. */
  loading: Promise<void> | null
  inputs: readonly StoredInput[]
}

/** Matching looks at the beginning; nobody searches for the end of a page. */
const searchedChars = 300

export function createHistory(store: Pick<EventStore, 'inputs'>): History {
  const teams = new Map<string, Team>()
  const programsOf = rememberPrograms()

  /** An input noted while the store was read may be there twice. */
  async function load(name: string, team: Team): Promise<void> {
    try {
      const stored = await store.inputs(name, limits.pastInputs)
      const noted = new Set(team.inputs.map(placeOf))
      add(
        team,
        stored.filter((input) => !noted.has(placeOf(input))),
      )
      team.loading = null
    } catch (error) {
      // It is read again the next time.
      teams.delete(name)
      throw error
    }
  }

  function add(team: Team, found: readonly StoredInput[]): void {
    if (found.length > 0)
      team.inputs = newestFirst([...found, ...team.inputs]).slice(0, limits.pastInputs)
  }

  async function inputs(name: string): Promise<readonly StoredInput[]> {
    let team = teams.get(name)
    if (team === undefined) {
      team = { loading: null, inputs: [] }
      teams.set(name, team)
      team.loading = load(name, team)
    }
    await team.loading
    return team.inputs
  }

  async function past(team: string, kind: InputKind): Promise<readonly PastInput[]> {
    const seen = new Set<string>()
    const once: PastInput[] = []
    for (const input of await inputs(team)) {
      if (input.kind !== kind || seen.has(input.text)) continue
      seen.add(input.text)
      once.push({ text: input.text, at: input.at })
    }
    return once
  }

  return {
    past,
    async find(team, { kind, prefix = '', q = '', limit }) {
      const all = (await past(team, kind)).filter(({ text }) => text.startsWith(prefix))
      return (q === '' ? all : search(all, q)).slice(0, limit)
    },
    async programs(team) {
      const counts = new Map<string, number>()
      for (const input of await inputs(team))
        for (const name of programsOf(input)) counts.set(name, (counts.get(name) ?? 0) + 1)
      return counts
    },
    note({ team, session, events, ...before }) {
      const known = teams.get(team)
      // A team that nobody asked for yet is read from the store, these events with it.
      if (known) add(known, inputsOf(session, events, before).inputs)
    },
    forget(session) {
      for (const [name, team] of teams)
        // A team that is just being read is read again, without it.
        if (team.loading) teams.delete(name)
        else team.inputs = team.inputs.filter((input) => input.session !== session)
    },
  }
}

/** A line is read once: there are thousands, and they are counted at each word that is typed. */
function rememberPrograms(): (input: StoredInput) => readonly string[] {
  const programs = new WeakMap<StoredInput, readonly string[]>()
  return (input) => {
    const known = programs.get(input)
    if (known !== undefined) return known
    const found = input.kind === 'shell' ? programsIn(input.text) : []
    programs.set(input, found)
    return found
  }
}

function placeOf({ session, seq }: StoredInput): string {
  return `${session} ${seq}`
}

/** Best first, and the newer of two that fit as well. */
function search(inputs: readonly PastInput[], q: string): readonly PastInput[] {
  const targets = inputs.map((input, index) => ({
    input,
    index,
    target: fuzzysort.prepare(input.text.slice(0, searchedChars)),
  }))
  return fuzzysort
    .go(q, targets, { key: (each) => each.target, threshold: 0, limit: inputs.length })
    .map(({ obj, score }) => ({ ...obj, score }))
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .map(({ input }) => input)
}
