import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Event } from '../../src/protocol/events/event.ts'
import type { Delta } from '../../src/protocol/stream/delta.ts'
import { defaultSessionLimits } from '../../src/protocol/limits.ts'
import type { RunStart } from '../../src/protocol/events/run.ts'
import { evolve } from '../../src/log/evolve.ts'
import { initialState, type SessionState } from '../../src/log/state.ts'
import { openAppend } from '../../src/session/append.ts'
import { record } from '../../src/session/record/record.ts'
import type { Report } from '../../src/session/record/report.ts'
import { createEffects } from '../../src/server/session/effects.ts'
import { createLive } from '../../src/server/session/live.ts'
import { createOneShots, type OneShots } from '../../src/server/one-shot/one-shots.ts'
import { createSlots } from '../../src/server/one-shot/slots.ts'
import { perform, type PerformDeps } from '../../src/server/session/perform.ts'
import { openProcessLimits } from '../../src/server/process/process-limits.ts'
import { readRunOutput } from '../../src/server/pages/output-pages.ts'
import { createMemoryStore } from '../../src/server/store/memory.ts'
import { catalogue } from '../support/simulate.ts'
import { createSignal } from '../support/signal.ts'
import { isAlive, openPlace, pidsIn, type TempPlace } from './support/one-shot.ts'

let place: TempPlace
let oneShots: OneShots
beforeAll(() => {
  place = openPlace()
  oneShots = createOneShots({
    folder: place.folder,
    workspace: place.folder,
    shell: 'bash',
    env: { PATH: process.env['PATH'] ?? '' },
    slots: createSlots(8),
    limit: openProcessLimits().limitedCommand,
    diagnose: () => undefined,
  })
})
afterAll(() => place.remove())

const uuid = '01890a5d-ac96-774b-bcce-b302099a8057'

/** A session whose log ends with a call of the background lane and its run. */
function sessionWith(
  command: string,
  timeoutMs = 60_000,
): { events: Event[]; state: SessionState } {
  const by = { kind: 'user', client: 'web', name: 'ann' } as const
  const append = openAppend(initialState, { at: 1_700_000_000_000, uuid, by, body: null })
  append.add({
    type: 'session_start',
    team: 'default',
    workspace: place.folder,
    title: null,
    approval: 'guarded',
    limits: defaultSessionLimits,
  })
  const rest = { command, lane: 'background', source: 'slash', timeoutMs, private: false } as const
  const request = append.add({
    type: 'tool_request',
    meta: { isClientInitiated: true },
    name: 'shell',
    args: `/shell ${command}`,
    index: 0,
    step: null,
    run: { ...rest, thenTurn: false },
  })
  append.add({
    type: 'run_start',
    run: `sh-${append.id()}`,
    request,
    ...rest,
    generation: 0,
    cwd: null,
  })
  return { events: [...append.events], state: append.state }
}

/** The host's loop without its store: what is due is done, what is found is recorded. */
function openLoop(start: { events: Event[]; state: SessionState }) {
  let { state } = start
  const { events } = start
  const deltas: Delta[] = []
  const changed = createSignal()
  const publish = (delta: Delta) => {
    deltas.push(delta)
    changed.fire()
  }
  const deps = { oneShots, live: createLive(publish), publish } as unknown as PerformDeps
  async function report(body: Report): Promise<boolean> {
    const more = record(
      state,
      { at: 1_700_000_001_000, uuid, by: { kind: 'system' }, body },
      catalogue,
    )
    state = more.reduce(evolve, state)
    events.push(...more)
    effects.reconcile(state)
    changed.fire()
    return true
  }
  const effects = createEffects({
    perform: (work, context) => perform(work, context, deps),
    report,
    diagnose: (message, error) => {
      throw new Error(message, { cause: error })
    },
    loadedHead: 0,
  })
  effects.reconcile(state)
  const of = <T extends Event['type']>(type: T) =>
    events.find((event): event is Event & { type: T } => event.type === type)
  const printed = () =>
    deltas.map((delta) => (delta.type === 'tool_update' ? (delta.output?.text ?? '') : '')).join('')
  return {
    events,
    effects,
    printed,
    of,
    async until<T extends Event['type']>(type: T) {
      await changed.until(() => of(type) !== undefined)
      return of(type)!
    },
    untilPrinted: (fits: RegExp) => changed.until(() => fits.test(printed())),
  }
}

test('[ONE80] a background run goes from its start to its end and answer, with who, what, where, when and exit', async () => {
  const loop = openLoop(sessionWith('echo out; echo err >&2; pwd; exit 3'))
  const response = await loop.until('tool_response')
  const start = loop.of('run_start')!
  expect(start).toMatchObject({
    by: { kind: 'user', client: 'web', name: 'ann' },
    at: 1_700_000_000_000,
    command: 'echo out; echo err >&2; pwd; exit 3',
    lane: 'background',
  })
  const out = `out\n${place.folder}\n`
  expect(loop.of('run_end')).toMatchObject({
    run: start.run,
    start: start.seq,
    outcome: 'ended',
    exitCode: 3,
    signal: null,
    bytes: out.length + 4,
    omitted: 0,
    ptyFrom: null,
    ptyTo: null,
    stdout: { bytes: out.length, omitted: 0 },
    stderr: { bytes: 4, omitted: 0 },
  })
  expect(response).toMatchObject({ status: 'error', inContext: true })
  expect(response.content).toBe(
    `$ echo out; echo err >&2; pwd; exit 3\n${out}[stderr]\nerr\n[exit 3; run by the user]`,
  )
  // Whole on the wire and on disk, and readable by the schema.
  for (const event of loop.events)
    expect(Event.parse(JSON.parse(JSON.stringify(event)))).toEqual(event)
})

test('[ONE80] a background run past its time is answered at once and ended after', async () => {
  const loop = openLoop(sessionWith('echo "shell $$"; sleep 1000 & echo "child $!"; wait', 1_500))
  const end = await loop.until('run_end')
  const response = loop.of('tool_response')!
  expect(response.status).toBe('timeout')
  expect(response.content).toContain('timed out after 1.5 s')
  expect(end).toMatchObject({ exitCode: null, signal: 'SIGTERM' })
  expect(pidsIn(loop.printed())).toHaveLength(2)
  expect(pidsIn(loop.printed()).filter(isAlive)).toEqual([])
})

test('[ONE80] a server that leaves ends its background runs and says why', async () => {
  const loop = openLoop(sessionWith('echo "shell $$"; sleep 1000; :'))
  await loop.untilPrinted(/shell \d+\n/)
  // A shell that ends meanwhile does not wait for them.
  await loop.effects.runsSettled()
  expect(loop.of('run_end')).toBeUndefined()
  await loop.effects.endOneShots()
  expect(loop.of('run_end')).toMatchObject({ outcome: 'ended', signal: 'SIGTERM' })
  expect(loop.of('tool_response')!.content).toContain('[the server was stopped]')
  expect(pidsIn(loop.printed()).filter(isAlive)).toEqual([])
})

test('[ONE80] a background run open at a crash is closed as lost, and says that it was the server', () => {
  const { state } = sessionWith('make')
  const events = record(
    state,
    { at: 1, uuid, by: { kind: 'system' }, body: { type: 'recovered', draft: null } },
    catalogue,
  )
  expect(events.map(({ type }) => type)).toEqual(['run_end', 'tool_response'])
  expect(events[1]).toMatchObject({
    status: 'lost',
    content: '$ make\n[outcome unknown: the server was lost while it ran; run by the user]',
  })
})

test('[ONE50] pages of a background run join to stdout and then stderr, exactly, with what is missing', async () => {
  const command = `yes é | head -c 9999999; printf 'e€r🙂' >&2; printf '\\xe2\\x82' >&2`
  const loop = openLoop(sessionWith(command))
  const end = await loop.until('run_end')
  const store = createMemoryStore()
  await store.append('session-1', 0, { events: loop.events })
  const run = (loop.of('run_start') as RunStart).run
  const page = (from: number, limit: number) =>
    readRunOutput({ store, oneShots, terminal: undefined as never, session: 'session-1' }, run, {
      from,
      limit,
    })
  const folder = join(place.folder, 'one-shot', run)
  const texts: Record<string, string> = { stdout: '', stderr: '' }
  let missing = 0
  for (let from = 0; from < end.bytes;) {
    const found = await page(from, 1_000_000)
    expect(found).toMatchObject({ from, total: end.bytes })
    texts[from < end.stdout!.bytes ? 'stdout' : 'stderr'] += found!.text
    missing += found!.missing
    from = found!.to
  }
  expect(missing).toBe(end.omitted)
  expect(end.omitted).toBe(9_999_999 - 8 * 1024 * 1024)
  expect(texts['stderr']).toBe('e€r🙂\ufffd')
  expect(readFileSync(join(folder, 'stderr')).length).toBe(end.stderr!.bytes)
  expect(Buffer.byteLength(texts['stdout']!)).toBeGreaterThan(8 * 1024 * 1024 - 8)
  expect((await page(end.stdout!.bytes, 4))?.text).toBe('e€')
  expect(await page(end.bytes + 10, 10)).toMatchObject({ from: end.bytes, to: end.bytes, text: '' })
})
