import type { Seq } from '../../protocol/events/seq.ts'
import type { Refusal } from '../../protocol/http/refusal.ts'
import { limits } from '../../protocol/limits.ts'
import { hasHeld } from '../../log/open.ts'
import type { SessionState } from '../../log/state.ts'
import { type Append, refuse } from '../append.ts'
import type { Catalogue } from '../catalogue.ts'
import { advance } from '../due.ts'
import { openEpoch, startTurn, userMessage } from '../turn.ts'
import { attach, type Attachment, mentioned } from './attach.ts'

export interface Prompt {
  text: string
  /** A paste is taken verbatim: an `@` in it means nothing. */
  isPaste?: boolean
  /** Attachments beside the files that its text mentions. */
  with?: readonly Attachment[]
  /** The queued input whose place it takes. */
  replaces?: Seq
}

/**
 * Something said to the model. It is stored at once; its turn begins when everything that belongs to
 * it has been read, and not while another turn is under way.
 */
export function sayPrompt(append: Append, prompt: Prompt, catalogue: Catalogue): Refusal | null {
  const { text, replaces } = prompt
  const files = prompt.isPaste ? [] : mentioned(text, catalogue)
  const attachments = [...(prompt.with ?? []), ...files]
  const mustWait = isBusy(append.state)
  if (!mustWait && attachments.length === 0 && replaces === undefined)
    return sayNow(append, text, catalogue)
  if (replaces === undefined && append.state.queue.length >= limits.queuedInputs)
    return refuse('queue_full', `${limits.queuedInputs} inputs are waiting already.`)
  if (!mustWait) openEpoch(append, catalogue)
  const place = replaces !== undefined && { replaces }
  const seq = append.add({ type: 'input_queued', text, ...place })
  for (const attachment of attachments) attach(append, seq, attachment)
  advance(append, catalogue)
  return null
}

/** A step may outlive its aborted turn by a moment; what is said meanwhile waits for its end. */
function isBusy(state: SessionState): boolean {
  const { turn, step, wanted } = state
  return turn !== null || step !== null || wanted !== null || hasHeld(state)
}

function sayNow(append: Append, text: string, catalogue: Catalogue): null {
  openEpoch(append, catalogue)
  startTurn(append, catalogue, { trigger: append.add(userMessage(text)) })
  return null
}
