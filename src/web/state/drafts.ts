import type { SessionId } from '../../protocol/seq.ts'

const prefix = 'tandem.draft.'

/** What was being typed in a session, also after a reload. */
export const draftOf = (session: SessionId) => sessionStorage.getItem(prefix + session) ?? ''

export function keepDraft(session: SessionId, text: string): void {
  if (text === '') sessionStorage.removeItem(prefix + session)
  else sessionStorage.setItem(prefix + session, text)
}
