import { assertNever } from '../../base/assert-never.ts'
import { modeName, modeWords } from '../../protocol/events/approval-mode.ts'
import type { SessionId } from '../../protocol/events/seq.ts'
import type { Notice } from '../fold/entry.ts'

/**
 * A part of a sentence: words of ours, something of a shell's in which nothing may hide, a way to another session, or
 * something that a person can have done.
 */
export type Said =
  | string
  | { code: string }
  | { session: SessionId; text: string }
  | { offer: string; text: string }

const ends = {
  aborted: 'The turn was stopped.',
  failed: 'The turn ended because the model failed.',
  step_limit: 'The turn reached its limit of steps. Say “go on” to continue.',
  context_full: 'The model has no room for more.',
  declined: 'The turn ended: its command was denied.',
} as const

/** A notice as every client words it; empty for what a client shows in a way of its own. */
export function noticeWords(notice: Notice): readonly Said[] {
  switch (notice.type) {
    case 'shell_started':
      return startWords(notice)
    case 'shell_taken': {
      const { from, shell, cwd } = notice
      const came = { session: from, text: 'The terminal came along' }
      return [came, `: ${shell} in `, { code: cwd }]
    }
    case 'shell_ended':
      return endWords(notice)
    case 'shell_adopted': {
      const { shell, place, cwd } = notice
      return [`Commands run in ${shell} of ${place} now, in `, { code: cwd }, ' — until it ends']
    }
    case 'shell_left':
      return ['The adopted shell has ended. Commands run in ', { code: notice.cwd }, ' again.']
    case 'model':
      return [`Talking to ${notice.model}`]
    case 'approval':
      return [`Approval is now: ${modeName(notice.mode)}. ${modeWords[notice.mode].about}`]
    case 'private':
      return [
        notice.on
          ? 'Private from here on: the model sees nothing of what is run.'
          : 'No longer private: the model sees what is run.',
      ]
    case 'continued':
      return [{ session: notice.session, text: 'Continued in a new session' }]
    case 'facts':
      return []
    case 'turn_ended':
      return notice.reason === 'context_full'
        ? [
            ends.context_full,
            ' ',
            { offer: '/compact', text: 'Compact: start anew with a summary' },
          ]
        : [ends[notice.reason]]
    case 'fault':
      return faultWords(notice)
    default:
      return assertNever(notice)
  }
}

const modelOffer = /^(.*: )(\/model [\w.-]+\/[\w./:@-]+)$/s

/** A model that is there, instead of the one that is not, is a press away. */
function faultWords({ code, message }: NoticeOf<'fault'>): readonly Said[] {
  const [, text, offer] = (code === 'model_config' && modelOffer.exec(message)) || []
  return text === undefined || offer === undefined ? [message] : [text, { offer, text: offer }]
}

type NoticeOf<Type extends Notice['type']> = Extract<Notice, { type: Type }>

function startWords(notice: NoticeOf<'shell_started'>): readonly Said[] {
  const { generation, shell, cwd, integration } = notice
  const isNew = generation > 1
  return [
    `${isNew ? 'A new shell' : 'A shell'}: ${shell} in `,
    { code: cwd },
    isNew ? ' — variables, functions and jobs of the old one are gone' : '',
    integration === 'full' ? '' : ` (integration: ${integration})`,
    notice.notice === undefined ? '' : ` — ${notice.notice}`,
  ].filter((said) => said !== '')
}

function endWords({ movedTo, exitCode, reason }: NoticeOf<'shell_ended'>): readonly Said[] {
  if (movedTo !== null) return [{ session: movedTo, text: 'The terminal moved to another session' }]
  return [`The shell ended${exitCode === null ? '' : ` with ${exitCode}`} (${reason}).`]
}
