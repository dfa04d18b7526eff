import type { SubmitAs } from '../../protocol/completion.ts'
import { localCommand } from '../../view/local.ts'
import type { ComposerState } from '../state/composer-state.ts'
import { usePage } from '../state/page.ts'
import { useSession } from '../state/session.ts'
import { useLocalCommands } from './use-local-commands.ts'

/** Sends a text, or does itself what only this page can do. False when there was nothing to send. */
export function useSubmit(composer: ComposerState): (text: string, as: SubmitAs) => boolean {
  const { outbox } = usePage()
  const { id } = useSession()
  const local = useLocalCommands(composer)
  return (text, as) => {
    if (text.trim() === '') return false
    composer.text.set('')
    if (composer.mode.get() === 'bash' && /^\s*(exit|quit)\s*$/.test(text)) {
      composer.mode.set('chat')
      return true
    }
    const command = as === 'auto' ? localCommand(text) : null
    if (command && composer.mode.get() === 'chat') local(command)
    else outbox.submit({ session: id, text, as })
    return true
  }
}
