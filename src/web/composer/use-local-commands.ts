import { assertNever } from '../../protocol/assert-never.ts'
import type { localCommand } from '../../view/local.ts'
import type { ComposerState } from '../state/composer-state.ts'
import { dialog } from '../state/dialog.ts'
import { nextTheme } from '../state/next-theme.ts'
import { goTo } from '../state/place.ts'
import { complain } from '../state/toasts.ts'
import { useClear } from '../sessions/use-clear.ts'

type Local = NonNullable<ReturnType<typeof localCommand>>

/** What the page does itself; the session would refuse it. */
export function useLocalCommands(composer: ComposerState): (command: Local) => void {
  const clear = useClear()
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
      case 'bash':
        return composer.mode.set('bash')
      default:
        return assertNever(name)
    }
  }
}
