import type { AskScope, ElicitationRequest } from '../../protocol/events/ask.ts'
import type { Ask } from '../fold/entry.ts'

/** A question as far as its answers depend on it. */
export type Asked = Pick<ElicitationRequest, 'grade' | 'offer' | 'settings'> &
  Pick<Ask, 'rest'> & {
    /** The command can be changed in a line before it runs. */
    isEditable?: boolean
  }

/** A yes that counts for more than this one command, in words that are read before it is chosen. */
export interface WiderYes {
  scope: Exclude<AskScope, 'once'>
  /** The key that chooses it, and the word at a terminal, which begins with it. */
  key: string
  word: string
  title: string
  /** The commands it covers. */
  covers: readonly string[]
  /** How long it counts, and how it is taken back. */
  end: string
}

/** The wider answers to a question, narrow ones first. Nothing that is hard to undo is allowed in advance. */
export function widerYes({ grade, offer, settings = [], rest }: Asked): readonly WiderYes[] {
  if (grade === 'destroys') return []
  const ofReply: WiderYes = {
    scope: 'reply',
    key: 'r',
    word: 'rest',
    title: 'This and the rest of this reply',
    covers: rest,
    end: 'Each only if the shell is still in the state that it is shown for; what is hard to undo, or nobody can judge, asks all the same.',
  }
  const ofSession: Omit<WiderYes, 'covers'> = {
    scope: 'session',
    key: 's',
    word: 'session',
    title: 'This, for the rest of the session',
    end: 'Until this session ends; /approval takes it back.',
  }
  const ofFolder: Omit<WiderYes, 'covers'> = {
    scope: 'folder',
    key: 'f',
    word: 'folder',
    title: 'Always in this folder',
    end: 'In every session here, until tandem approval rm takes it back.',
  }
  const ofShell: WiderYes = {
    scope: 'shell',
    key: 'k',
    word: 'keep',
    title: 'The shell’s settings are as I want them',
    covers: settings.map(({ words }) => words),
    end: 'Until this shell ends; any further change asks again, and /approval rm settings takes it back.',
  }
  const rules = offer ? [ofSession, ofFolder] : []
  return [
    ...(settings.length > 0 ? [ofShell] : []),
    ...(rest.length > 0 ? [ofReply] : []),
    ...rules.map((rule) => ({ ...rule, covers: offer ? [offer.words] : [] })),
  ]
}
