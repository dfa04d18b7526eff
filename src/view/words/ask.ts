import type { AskScope, ElicitationRequest, Grade, AskCause } from '../../protocol/events/ask.ts'
import type { Ask } from '../fold/entry.ts'
import { type Asked, type WiderYes, widerYes } from './wider-yes.ts'
import { whoOf } from './who.ts'
import { type ApprovalMode, modeWords } from '../../protocol/events/approval-mode.ts'

interface AskWords {
  title: string
  action: string
  /** The command can be changed before it runs. */
  isEditable: boolean
}

/** A question in a person's words: to run, to type and to read are not the same yes. */
export function askWords({ kind }: Pick<Ask, 'kind'>, who: string, isRead: boolean): AskWords {
  if (isRead) return { title: 'Let the model read this file?', action: 'Allow', isEditable: false }
  if (kind === 'terminal_input')
    return { title: 'Type this for the model?', action: 'Type', isEditable: true }
  return { title: `Run this for ${who}?`, action: 'Run', isEditable: true }
}

/** The reach of a command as it is drawn; `unknown`: nobody can say. */
export type ShownGrade = Grade | 'unknown'

/** The effect of a command in a person's words. */
export const gradeWords: Readonly<Record<ShownGrade, string>> = {
  reads: 'Only reads',
  changes: 'Changes files here',
  leaves: 'May leave this folder or use the network',
  unknown: 'Nobody can say what it does',
  destroys: 'Hard to undo',
}

/** The reach of what is asked about; null for what is no command. */
export function shownGrade(
  { kind, grade }: Pick<ElicitationRequest, 'kind' | 'grade'>,
  { isRead = false } = {},
): ShownGrade | null {
  return isRead || kind !== 'approval' ? null : (grade ?? 'unknown')
}

/** Why a question is there a second time. */
export const askedAgain = 'the shell has changed since it was judged'

/** How a question was answered, and by whom; null while it is open. */
export function askAnswer({ state }: Ask, here: string): string | null {
  if (state.phase !== 'answered') return null
  if (state.moved && state.outcome === 'void')
    return 'The shell has changed since this was judged, so it is asked again.'
  if (state.outcome === 'void') return 'The question was taken back.'
  const verb = state.outcome === 'allow' ? allowed[state.scope ?? 'once'] : 'Denied'
  return `${verb} by ${whoOf(state.by, here)}${state.word === null ? '' : `: “${state.word}”`}`
}

/** A yes and what it counts for. */
export const allowed: Readonly<Record<AskScope, string>> = {
  once: 'Allowed',
  reply: 'Allowed with the rest of the reply',
  session: 'Allowed for the rest of the session',
  folder: 'Always allowed in this folder',
  shell: 'Allowed with the shell’s settings',
}

type Typed =
  | { outcome: 'allow'; scope?: WiderYes['scope'] }
  | { outcome: 'deny'; word?: string }
  /** The command is to be changed first. */
  | { outcome: 'edit' }
  | null

/**
 * An answer as it is typed at a terminal: a yes, a wider yes, an edit, a no, or a no with a word on what to do instead. Null where
 * it is none of these: a letter that was not offered is no word for the model, and y alone runs nothing that is hard
 * to undo.
 */
export function typedAnswer(said: string, asked: Asked): Typed {
  const word = said.trim()
  const key = word.toLowerCase()
  if (key === 'run') return { outcome: 'allow' }
  if (/^y(es)?$/.test(key)) return asked.grade === 'destroys' ? null : { outcome: 'allow' }
  if (/^[sfrk]$/.test(key) || /^(session|folder|rest|keep)$/.test(key)) {
    const wider = widerYes(asked).find((each) => each.key === key || each.word === key)
    return wider ? { outcome: 'allow', scope: wider.scope } : null
  }
  if (/^e(dit)?$/.test(key)) return asked.isEditable ? { outcome: 'edit' } : null
  return { outcome: 'deny', ...(/^(no?)?$/.test(key) ? {} : { word }) }
}

/** The answer that an edited line is; null where it is none: empty, or hard to undo and as it was. */
export function editedAnswer(
  said: string,
  { command, grade }: Pick<ElicitationRequest, 'command' | 'grade'>,
): { outcome: 'allow'; command: string } | null {
  const text = said.trim()
  const isUnfit = text === '' || (grade === 'destroys' && text === command.trim())
  return isUnfit ? null : { outcome: 'allow', command: text }
}

/** The label of the line in which a command is edited. */
export const editLabel = (action: string) => `${action} this instead`

/** The line that asks for it. */
export function typedQuestion(asked: Asked & Pick<Ask, 'kind'>, { isRead = false } = {}): string {
  const wider = widerYes(asked).map(({ key, word }) => `[${key}]${word.slice(1)}, `)
  const yes = asked.grade === 'destroys' ? 'It is hard to undo: type run, ' : '[y]es, '
  const edit = asked.isEditable ? '[e]dit, ' : ''
  const no = '[n]o, or what the model should do instead: '
  return `${isRead ? 'Read' : askWords(asked, '', isRead).action} it? ${yes}${wider.join('')}${edit}${no}`
}

interface Caused {
  command: string
  cwd: string | null
  causes?: readonly AskCause[] | undefined
}

/** More places than this are no longer read. */
const maxShown = 4

/**
 * The part of the command that a reason is of, and the real places that it is about: «rm -rf build → /mnt/cache/build».
 * A place is told only where neither the reason nor the words typed say it; null when nothing is left to tell.
 */
export function causeLine({ command, cwd, causes = [] }: Caused, reason: string): string | null {
  const cause = causes.find((each) => each.reason === reason)
  if (cause === undefined) return null
  const { part = null, targets = [] } = cause
  const said = wordsOf(`${part ?? command} ${reason}`)
  const news = targets.filter((target) => !isSaid(target, { said, cwd }))
  const more = news.length > maxShown ? ' …' : ''
  const where = news.length === 0 ? [] : [`→ ${news.slice(0, maxShown).join(', ')}${more}`]
  const line = [...(part === null ? [] : [part]), ...where].join(' ')
  return line === '' ? null : line
}

function wordsOf(text: string): ReadonlySet<string> {
  const words = text.split(/[\s'"<>|;&(),]+/)
  return new Set(words.map((word) => word.replace(/^\.\/(?=.)/, '').replace(/(?<=.)\/+$/, '')))
}

function isSaid(
  target: string,
  { said, cwd }: { said: ReadonlySet<string>; cwd: string | null },
): boolean {
  if (said.has(target)) return true
  if (cwd !== null && target.startsWith(`${cwd}/`) && said.has(target.slice(cwd.length + 1)))
    return true
  // In a reason the home is a tilde.
  return [...said].some((word) => word.startsWith('~/') && target.endsWith(word.slice(1)))
}

/** A mode as a menu offers it. */
interface OfferedMode {
  mode: ApprovalMode
  name: string
  about: string
}

const offered: readonly ApprovalMode[] = ['ask-all', 'guarded', 'trusted-session', 'refuse']

/** All modes, in the order in which a key walks through them. */
export const offeredModes: readonly OfferedMode[] = offered.map((mode) => ({
  mode,
  ...modeWords[mode],
}))

/** The modes that a key tries after one, in their order, round and round. */
export function modesAfter(now: ApprovalMode): readonly ApprovalMode[] {
  const at = offered.indexOf(now)
  return [...offered.slice(at + 1), ...offered.slice(0, at)]
}
