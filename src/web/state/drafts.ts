import type { SessionId } from '../../protocol/seq.ts'

/** What was being typed in a session; a paste stays one, also after a reload. */
export interface Draft {
  text: string
  isPasted: boolean
}

const textPrefix = 'tandem.draft.'
const pastedPrefix = 'tandem.pasted.'

export function draftOf(session: SessionId): Draft {
  return {
    text: sessionStorage.getItem(textPrefix + session) ?? '',
    isPasted: sessionStorage.getItem(pastedPrefix + session) !== null,
  }
}

export function keepDraft(session: SessionId, { text, isPasted }: Draft): void {
  try {
    keep(textPrefix + session, text)
    keep(pastedPrefix + session, isPasted ? 'yes' : '')
  } catch {
    // Without room it still is in this tab.
  }
}

function keep(name: string, value: string): void {
  if (value === '') sessionStorage.removeItem(name)
  else sessionStorage.setItem(name, value)
}
