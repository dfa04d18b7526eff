import type { Hello } from '../../../protocol/holder/holder.ts'
import { shownIntegration, topShell } from '../../../terminal/shells.ts'
import type { Shell } from '../../../terminal/state.ts'
import type { HolderClient } from '../holder/client.ts'
import { endMs } from '../holder/end-holder.ts'
import { createProbe } from '../probe/probe.ts'
import { within } from '../within.ts'
import type { LiveShell } from './live-shell.ts'
import { isStartedAnew, lastChild, linkedCwd } from './processes.ts'
import type { ShellEnding, ShellStart } from './session.ts'

/** The time that a prompt may take to be drawn while somebody waits for the shell. */
const promptMs = 3_000
/** A person who looks, or types a name, waits no longer for a slow prompt; the last one has to do. */
const drawnMs = 200

export interface StartDeps {
  live: LiveShell
  hello: Pick<Hello, 'generation' | 'shellPid' | 'pts'>
  /** Resolves when the session knows what happened so far. */
  reported(): Promise<void>
}

export function startOf({ live, reported, hello }: StartDeps): ShellStart {
  const { generation, shellPid, pts } = hello
  const base = () => live.state().shells[0]
  return {
    info: () => ({
      generation,
      shell: base().name,
      pid: shellPid,
      cwd: base().cwd ?? linkedCwd(shellPid) ?? '/',
      integration: shownIntegration(base()),
    }),
    isReady: () => base().phase !== 'starting',
    ready: async (ms) => (await live.until(({ shells: [own] }) => atPrompt(own), ms)) !== null,
    async front(shell) {
      const seen = await createProbe({ shellPid, pts }).read()
      const isReplaced = live.look.replaced(shellPid) === 'shell' || isStartedAnew(shellPid, shell)
      return { seen, isOwn: seen.pid === shellPid, isReplaced, child: lastChild(shellPid) }
    },
    reported,
    onReplaced: () => live.order({ type: 'replaced' }),
    async caughtUp() {
      const { shells, gone } = live.state()
      if (shells.length === 1 && gone.length === 0) await reported()
    },
  }
}

export interface EndingDeps extends Pick<StartDeps, 'live' | 'hello'> {
  client: HolderClient
  /** Resolves when the connection to the holder is closed. */
  closed: Promise<void>
}

export function endingOf({ live, client, closed, hello }: EndingDeps): ShellEnding {
  return {
    sync: client.sync,
    head: () => live.state().head,
    drawn: () => drawn(live),
    async isAtRest() {
      const isOuter = live.state().shells.length === 1
      if (!isOuter || (await untilPrompt(live, promptMs)) === null) return false
      const probed = await client.probe()
      return probed === null || probed.foreground === hello.shellPid
    },
    forget(before) {
      client.forget(before)
      return true
    },
    async give(to) {
      live.order({ type: 'end', how: 'left' })
      await client.move(to)
      client.disconnect()
    },
    leave() {
      live.order({ type: 'end', how: 'left' })
      client.disconnect()
    },
    async end() {
      const answered = client.sync()
      live.order({ type: 'end', how: 'closed' })
      client.end()
      return (await answered) && within(endMs, closed)
    },
  }
}

/** Resolves when the prompt after a command is there, or takes long. */
export async function drawn(live: Pick<LiveShell, 'state' | 'until'>): Promise<void> {
  const { phase } = topShell(live.state())
  if (phase === 'returning' || phase === 'answered') await untilPrompt(live, drawnMs)
}

function untilPrompt(live: Pick<LiveShell, 'until'>, ms: number): Promise<Shell | null> {
  return live.until((next) => atPrompt(topShell(next)), ms)
}

function atPrompt(shell: Shell): Shell | null {
  return shell.phase === 'prompt' ? shell : null
}
