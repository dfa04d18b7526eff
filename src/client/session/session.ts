import type { Event } from '../../protocol/events/event.ts'
import type { ApprovalMode } from '../../protocol/events/approval-mode.ts'
import type { SessionId } from '../../protocol/events/seq.ts'
import { isSameBut } from '../../view/fold/entry-list.ts'
import type { ReplyEntry } from '../../view/fold/entry.ts'
import type { Letter } from '../../view/rows/letter.ts'
import { modesAfter } from '../../view/words/ask.ts'
import { runInFront } from '../../view/secret-question.ts'
import { isQuiet, openReply } from '../../view/status.ts'
import { everyFrame, type NextPicture } from '../frame-rate.ts'
import type { Keep } from '../keep.ts'
import type { Sessions } from '../sessions.ts'
import { createStore, type Store } from '../store.ts'
import type { Caller } from '../wire/call.ts'
import { refusalOf } from '../wire/client-error.ts'
import { createComposer, type Composer, type ComposerDeps } from './composer.ts'
import { createFeed, type FrameSource, type Snapshot } from './feed.ts'
import { createHistory } from './records.ts'
import { intentsOf, type SessionIntents } from './intents.ts'
import type { Outbox } from './outbox.ts'
import { createSecretField, type SecretDeps, type SecretField } from './secret.ts'

/** Resolves with whether it was done; a no is shown, never thrown. */
type Asked<Intent> = Intent extends (...given: infer Given) => Promise<unknown>
  ? (...given: Given) => Promise<boolean>
  : never

/** The actions of a person in the open session, besides sending text. */
export type SessionActions = {
  [Name in Exclude<keyof SessionIntents, 'stop' | 'remove'>]: Asked<SessionIntents[Name]>
} & {
  /** Stops the turn, or the command if there is none. */
  stop(): Promise<boolean>
}

/** All that one open session is to a UI. */
export interface OpenSession extends SessionActions {
  readonly id: SessionId
  /** The session as it is now, at most once a picture however fast its deltas come. */
  snapshot: Store<Snapshot>
  /** The reply that is open, with its newest words: the snapshot does not change for these alone. */
  reply: Store<ReplyEntry | null>
  composer: Composer
  /** Takes the composer's place while a program reads a secret. */
  secret: SecretField
  /** Goes on to the next mode of approval that can be had; null when the mode stays as it is. */
  nextMode(): Promise<ApprovalMode | null>
  /** A text that waits or was refused goes back to the composer, unless another client has it already. */
  takeBack(letter: Pick<Letter, 'key' | 'text' | 'as'>): void
  loadOlder(): void
  submit(text: string): void
  close(): void
}

export interface OpenSessionDeps extends Pick<ComposerDeps, 'local' | 'focus'> {
  client: Caller
  /** The source of its frames. */
  source: FrameSource
  /** Types a secret, to the program that reads one. */
  typeSecret: SecretDeps['type']
  outbox: Outbox
  sessions: Pick<Sessions, 'follow' | 'list'>
  /** For drafts. */
  keep: Keep
  nextPicture: NextPicture
  /** Each event that comes after it was opened, also of those between two pictures. */
  onNew: (event: Event) => void
  /** An action was refused, or did not come through. */
  onRefused: (error: unknown) => void
}

export function openSession(deps: OpenSessionDeps, id: SessionId): OpenSession {
  const { client, outbox } = deps
  const feed = createFeed(deps.source, {
    session: id,
    history: createHistory(client, id),
    onEvent: deps.onNew,
  })
  const snapshot = createStore(feed.getSnapshot())
  const reply = createStore<ReplyEntry | null>(null)
  const intents = intentsOf(client, id)
  const actions = actionsOf(intents, deps.onRefused, () => snapshot.get())

  function show(): void {
    const before = snapshot.get()
    const wasLive = before.link.phase === 'live'
    const next = feed.getSnapshot()
    reply.set(openReply(next.view))
    if (!isReplyOnly(before, next)) snapshot.set(next)
    secret.look()
    if (!wasLive && next.link.phase === 'live') outbox.retry()
    listSeen()
    dropSeen()
  }

  /** The list may be behind what is shown, or what is shown behind the list. */
  function listSeen(): void {
    const { link, view } = snapshot.get()
    if (link.phase === 'live') deps.sessions.follow(id, view)
  }

  /** Letters that the log shows are no longer on their way. */
  function dropSeen(): void {
    for (const { key, session, state } of outbox.letters.get())
      if (session === id && state.phase === 'accepted' && state.head <= head()) outbox.drop(key)
  }

  const isExposed = () => runInFront(feed.getSnapshot().view) !== null
  const head = () => snapshot.get().view.state.head
  const submit: SecretDeps['submit'] = (input) =>
    outbox.submit({ ...input, session: id, after: head() }, { exposed: isExposed() })
  const composer = createComposer({
    session: id,
    help: client,
    keep: deps.keep,
    moment: () => ({ isBusy: !isQuiet(snapshot.get().view) }),
    submit: ({ text, as }) => (secret.holds({ text, as }) ? undefined : submit({ text, as })),
    local: deps.local,
    stop: () => void actions.stop(),
    focus: deps.focus,
    isExposed,
  })
  const seen = { view: () => feed.getSnapshot().view, type: deps.typeSecret, now: Date.now }
  const secret = createSecretField({ session: id, outbox, composer, submit, ...seen })
  const pictures = everyFrame(deps.nextPicture, show)
  const unsubscribe = [
    feed.subscribe(pictures.due),
    outbox.letters.subscribe(dropSeen),
    deps.sessions.list.subscribe(listSeen),
  ]
  return {
    id,
    ...actions,
    snapshot,
    reply,
    composer,
    secret,
    nextMode: modeWalk(intents, deps.onRefused, () => snapshot.get().view.state.approval),
    takeBack: ({ key, text, as }) =>
      void (outbox.takeBack(key) && composer.dispatch({ type: 'taken-back', text, as })),
    loadOlder: () => void feed.loadOlder(),
    submit: (text) => submit({ text, as: 'auto' }),
    close() {
      for (const leave of unsubscribe) leave()
      pictures.cancel()
      secret.close()
      composer.close()
      feed.close()
    },
  }
}

/** Words of the open reply are all that is new. */
function isReplyOnly(before: Snapshot, after: Snapshot): boolean {
  const [old, now] = [before.view, after.view]
  const seq = openReply(now)?.seq
  return (
    seq !== undefined &&
    before.link === after.link &&
    before.older === after.older &&
    old.state === now.state &&
    old.terminal === now.terminal &&
    isSameBut(seq, old.entries, now.entries)
  )
}

/** Refusals of a mode itself; after any other fault nobody knows what a further one would meet. */
const unfitMode = ['bad_mode', 'forbidden']

/** One press after the other, each from where the one before it led. */
function modeWalk(
  { update }: Pick<SessionIntents, 'update'>,
  onRefused: (error: unknown) => void,
  seen: () => ApprovalMode,
): OpenSession['nextMode'] {
  let walk: ReturnType<OpenSession['nextMode']> = Promise.resolve(null)
  /** The last step: the answer to it may be here before the session tells of it. */
  let last: { from: ApprovalMode; to: ApprovalMode } | null = null

  async function step(): Promise<ApprovalMode | null> {
    const from = seen()
    for (const to of modesAfter(last?.from === from ? last.to : from))
      try {
        await update({ approval: to })
        last = { from, to }
        return to
      } catch (error) {
        onRefused(error)
        if (!unfitMode.includes(refusalOf(error)?.code ?? '')) return null
      }
    return null
  }
  return () => (walk = walk.then(step))
}

function actionsOf(
  intents: SessionIntents,
  onRefused: (error: unknown) => void,
  now: () => Snapshot,
): SessionActions {
  const isDone = (asked: Promise<unknown>) =>
    asked.then(
      () => true,
      (error: unknown) => {
        onRefused(error)
        return false
      },
    )
  return {
    stop: () => isDone(intents.stop({ hasTurn: now().view.state.turn !== null })),
    answer: (answer) => isDone(intents.answer(answer)),
    interrupt: (signal) => isDone(intents.interrupt(signal)),
    keep: () => isDone(intents.keep()),
    drive: (driver) => isDone(intents.drive(driver)),
    adopt: () => isDone(intents.adopt()),
    withdraw: (seq) => isDone(intents.withdraw(seq)),
    editQueued: (seq, text) => isDone(intents.editQueued(seq, text)),
    update: (changes) => isDone(intents.update(changes)),
  }
}
