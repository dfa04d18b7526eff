import { createStore } from './store.ts'

/** At most one dialog is open. */
export const dialog = createStore<
  'none' | 'help' | 'palette' | 'new' | 'models' | 'export' | 'team'
>('none')

export function closeDialog(): void {
  dialog.set('none')
  // Not only when that is drawn: the focus goes back before whatever comes next takes it.
  document.querySelector<HTMLDialogElement>('dialog[open]')?.close()
}
