import { refused, type Result } from '../../../protocol/result.ts'
import { isOver, topShell } from '../../../terminal/select.ts'
import type { AdoptedShell } from '../terminal.ts'
import { adoptShell, type AdoptShellDeps } from './adopt-shell.ts'
import type { LiveShell } from './live-shell.ts'
import type { InOrder } from './tell-in-order.ts'

export interface AdoptionDeps extends Pick<
  AdoptShellDeps,
  'client' | 'basePid' | 'pts' | 'isAlternate'
> {
  live: Pick<LiveShell, 'state' | 'listen' | 'until'>
  inOrder: Pick<InOrder, 'told'>
}

/** Makes the shell that reads now the one that commands run in, because somebody asks for it or by itself. */
export interface Adoption {
  byHand(): Promise<Result<AdoptedShell, string>>
  /** Without being asked: it is the same process, of the same user. */
  byItself(): void
  /** Whoever adopts by hand after this means what runs then. */
  onRun(): void
}

export function createAdoption({ live, inOrder, ...deps }: AdoptionDeps): Adoption {
  let begun: Promise<Result<AdoptedShell, string>> | null = null

  function adopt(): Promise<Result<AdoptedShell, string>> {
    const { state, until } = live
    return adoptShell({ ...deps, state, until, told: inOrder.told })
  }

  return {
    async byHand() {
      // What is being done by itself, or was, counts.
      const done = await begun
      if (done?.ok === true) return done
      live.listen({ type: 'order', order: { type: 'adopt' } })
      return isOver(live.state()) ? refused('The shell has ended.') : adopt()
    },
    byItself() {
      const adopted = adopt()
      begun = adopted
      const tell = (error: string | null) => live.listen({ type: 'adopted', error })
      adopted.then(
        (result) => tell(result.ok ? null : result.error),
        (error: unknown) => tell(String(error)),
      )
    },
    onRun() {
      if (topShell(live.state()).replaced === null) begun = null
    },
  }
}
