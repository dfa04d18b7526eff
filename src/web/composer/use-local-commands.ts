import type { ComposerDeps } from '../../client/session/composer.ts'
import { assertNever } from '../../base/assert-never.ts'
import type { SessionId } from '../../protocol/events/seq.ts'
import { useClear } from '../sessions/use-clear.ts'
import { dialog } from '../state/panels.ts'
import { goTo } from '../state/page.ts'
import { nextTheme } from '../state/theme.ts'
import { complain } from '../state/toasts.ts'

/** Commands that the page does itself; the session would refuse them. */
export function useLocalCommands(session: SessionId): ComposerDeps['local'] {
  const clear = useClear(session)
  return ({ name, args }) => {
    switch (name) {
      case 'help':
        return dialog.set('help')
      case 'clear':
        return void clear().catch(complain)
      case 'theme':
        return nextTheme(args)
      case 'quit':
        return goTo(null)
      default:
        return assertNever(name)
    }
  }
}
