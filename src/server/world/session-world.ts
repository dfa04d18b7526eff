import type { SessionState } from '../../log/state.ts'
import type { Catalogue } from '../../session/catalogue.ts'
import type { SessionHostDeps } from '../session/host.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { nothingGathered } from './world.ts'

/** A prompt waits so long to learn which models there are. */
const settleMs = 3_000

/** The world as this session last looked at it. */
export type SessionWorld = ReturnType<typeof createSessionWorld>

export function createSessionWorld(
  { models, gather, facts, commands }: SessionHostDeps,
  terminal: Terminal,
) {
  let gathered = nothingGathered
  const setupOf = ({ model, epoch }: SessionState) =>
    models.keep(model ?? epoch?.model ?? models.initial().model, epoch)
  return {
    // A command for the terminal asks for none of what takes work to answer.
    catalogue: (state: SessionState): Catalogue => ({
      ...gathered.world,
      get setup() {
        return setupOf(state)
      },
      pick: models.pick,
      get facts() {
        return facts(state, gathered, setupOf(state).dialect)
      },
      get noInput() {
        return terminal.liveView.noInput()
      },
      get mark() {
        return terminal.stamp()
      },
      hasRule: (id) => commands.rules.list().some((rule) => rule.id === id),
    }),
    /** Names the model that would be asked now. */
    model: (state: SessionState) => setupOf(state).model,
    /** Looks at all of it; what was found counts when the answer is called. */
    async lookAround(state: SessionState, input?: string): Promise<() => void> {
      // A session that begins as the server does would otherwise get the demo.
      if (state.model === null && state.epoch === null) await models.settled(settleMs)
      const found = await gather(state, input)
      return () => {
        gathered = found
      }
    },
  }
}
