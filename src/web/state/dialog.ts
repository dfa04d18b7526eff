import { createStore } from './store.ts'

/** At most one dialog is open. */
export const dialog = createStore<
  'none' | 'help' | 'palette' | 'new' | 'models' | 'export' | 'team'
>('none')

export const closeDialog = () => dialog.set('none')
