import {
  useContext,
  useEffect,
  useId,
  useRef,
  useState,
  type KeyboardEvent,
  type RefObject,
} from 'react'
import type { By } from '../../protocol/events/event-base.ts'
import type { Answer } from '../../protocol/http/intent.ts'
import { askAction, askKeys, type AskAction } from '../../view/ask-keys.ts'
import type { Ask } from '../../view/fold/entry.ts'
import { askAnswer, askWords, editLabel, gradeWords, shownGrade } from '../../view/words/ask.ts'
import { whoOf } from '../../view/words/who.ts'
import { widerYes } from '../../view/words/wider-yes.ts'
import { here } from '../access/open-client.ts'
import { EditLine } from '../parts/edit-line.tsx'
import { focusComposer } from '../parts/focus.ts'
import { halfAnswerOf, type HalfAnswer } from '../state/half-answers.ts'
import { useSession } from '../state/session.ts'
import { AskButtons, WiderAnswers } from './ask-choices.tsx'
import { StayContext } from './use-follow.ts'
import { AskCommand, AskFacts, isLong } from './ask-facts.tsx'

/** A hand that was about to type something else must not answer by mistake. */
const inertMs = 500

/** Whether what is shown has been there for long enough. */
function useReady(shown: string): boolean {
  const [ready, setReady] = useState<string | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => setReady(shown), inertMs)
    return () => clearTimeout(timer)
  }, [shown])
  return ready === shown
}

type Half = ReturnType<typeof halfAnswerOf>
type Mode = 'choose' | 'edit' | 'word' | 'wider'
const modes = { explain: 'word', edit: 'edit', more: 'wider' } as const

interface AskCardProps {
  ask: Ask
  by: By
  /** A file is to be read. */
  isRead?: boolean
}

/** A question in its place. It never takes the focus; with the focus, single keys answer it. */
export function AskCard({ ask, by, isRead = false }: AskCardProps) {
  const words = askWords(ask, whoOf(by, here), isRead)
  const grade = shownGrade(ask, { isRead })
  const keys = askKeys(grade)
  const { mode, choose, card, half, begun } = useMode(ask)
  const { isWhole, showAll } = useWhole(ask, card)
  const isReady = useReady(isWhole ? 'all' : 'part')
  const { reply, isSent } = useReply(ask, card, half)
  const ids = { title: useId(), grade: useId() }

  function has(action: AskAction): boolean {
    if (action === 'edit') return words.isEditable
    return action === 'more' ? widerYes(ask).length > 0 : action === 'all' ? !isWhole : true
  }
  function can(action: AskAction): boolean {
    if (action === 'all') return !isWhole
    // Only all of a command can be said yes to.
    const isNo = action === 'deny' || action === 'explain'
    return has(action) && isReady && !isSent && (isNo || isWhole)
  }
  const allow: Answering['allow'] = (more = {}) =>
    void (can('run') && reply({ outcome: 'allow', ...more }))
  const deny: Answering['deny'] = (word) =>
    void (can('deny') && reply({ outcome: 'deny', ...(word && { word }) }))

  function act(action: AskAction): void {
    if (action === 'run') allow()
    else if (action === 'deny') deny()
    else if (action === 'all') showAll()
    else choose(modes[action])
  }
  function onKey(event: KeyboardEvent): void {
    const action = askAction(event, grade)
    if (event.target !== card.current || action === null || !can(action)) return
    event.preventDefault()
    act(action)
  }

  return (
    <section
      ref={card}
      className="ask-card"
      tabIndex={0}
      role="group"
      aria-labelledby={ids.title}
      aria-describedby={grade ? ids.grade : undefined}
      aria-keyshortcuts={shortcuts(keys, has)}
      data-ask={ask.id}
      data-grade={grade ?? undefined}
      onKeyDown={onKey}
    >
      <header>
        <h4 id={ids.title}>{words.title}</h4>
        {grade && (
          <p className={`ask-grade is-${grade}`} id={ids.grade}>
            {gradeWords[grade]}
          </p>
        )}
      </header>
      <AskCommand ask={ask} isWhole={isWhole} onWhole={showAll} />
      <AskFacts ask={ask} isWhole={isWhole} />
      {mode === 'choose' ? (
        <AskButtons yes={words.action} {...{ grade, can, has }} on={act} />
      ) : (
        <AskForm
          {...{ ask, mode, half, begun, allow, deny }}
          yes={words.action}
          isInert={!can('run')}
          onBack={() => choose('choose')}
        />
      )}
    </section>
  )
}

interface Answering {
  allow: (more?: Pick<Answer, 'command' | 'scope'>) => void
  deny: (word?: string) => void
}

interface AskFormProps extends Answering {
  ask: Ask
  mode: Exclude<Mode, 'choose'>
  yes: string
  isInert: boolean
  half: Half
  /** The answer as it was when the card came back. */
  begun: HalfAnswer | null
  onBack: () => void
}

/** An answer that takes more than a key. */
function AskForm({ ask, mode, yes, half, begun, ...on }: AskFormProps) {
  const { isInert, allow, deny, onBack } = on
  if (mode === 'wider')
    return (
      <WiderAnswers
        wider={widerYes(ask)}
        isInert={isInert}
        onChoose={(scope) => allow({ scope })}
        onCancel={onBack}
      />
    )
  const common = {
    written: begun?.mode === mode ? begun.text : undefined,
    onText: (text: string) => half.set({ mode, text }),
    onCancel: onBack,
  }
  return mode === 'edit' ? (
    <EditLine
      {...common}
      label={editLabel(yes)}
      initial={ask.command}
      action={`${yes} edited`}
      isChangeNeeded={ask.grade === 'destroys'}
      onDone={(command) => allow({ command })}
    />
  ) : (
    <EditLine
      {...common}
      label="What should the model do instead?"
      initial=""
      action="Deny"
      onDone={deny}
    />
  )
}

function shortcuts(keys: Readonly<Record<AskAction, string>>, has: (of: AskAction) => boolean) {
  const actions = ['run', 'deny', 'explain', 'edit', 'more', 'all'] as const
  return actions
    .filter(has)
    .map((action) => keys[action])
    .join(' ')
}

/** The part of the answer that is being given; back at the choice the card has the focus, so that its keys work. */
function useMode(ask: Ask) {
  const { id } = useSession()
  const half = halfAnswerOf(id, ask.id)
  const card = useRef<HTMLElement>(null)
  const [begun, setBegun] = useState(half.get)
  const [mode, setMode] = useState<Mode>(begun?.mode ?? 'choose')
  const choose = (next: Mode) => {
    setMode(next)
    setBegun(null)
    half.set(null)
    if (next === 'choose') card.current?.focus()
  }
  return { mode, choose, card, half, begun }
}

/** Shows all of a long command, from its start. */
function useWhole(ask: Ask, card: RefObject<HTMLElement | null>) {
  const stay = useContext(StayContext)
  const [isWhole, setWhole] = useState(() => !isLong(ask))
  function showAll(): void {
    // The list would follow its end as the card grows.
    stay()
    setWhole(true)
    card.current?.focus({ preventScroll: true })
    // Once the list has measured the larger card, and moved for it.
    requestAnimationFrame(() => requestAnimationFrame(() => card.current?.scrollIntoView()))
  }
  return { isWhole, showAll }
}

/** Gives the answer once. The card goes with the event that tells of it. */
function useReply(ask: Ask, card: RefObject<HTMLElement | null>, half: Half) {
  const { answer } = useSession()
  const [isSent, setSent] = useState(false)
  async function reply(given: Omit<Answer, 'type' | 'ask'>): Promise<void> {
    // The hand that was on the card goes on writing.
    if (card.current?.contains(document.activeElement)) focusComposer()
    setSent(true)
    if (await answer({ ask: ask.id, ...given })) half.set(null)
    else setSent(false)
  }
  return { reply, isSent }
}

/** How a question was answered, and by whom; nothing while it is open. */
export function AskAnswer({ ask }: { ask: Ask }) {
  const { state } = ask
  const words = askAnswer(ask, here)
  if (state.phase !== 'answered' || words === null) return null
  const isCounted = state.outcome !== 'void'
  return <p className={`ask-answer${isCounted ? ` is-${state.outcome}` : ''}`}>{words}</p>
}
