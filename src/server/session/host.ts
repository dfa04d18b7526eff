import type { Dialect } from '../../protocol/events/epoch.ts'
import type { By } from '../../protocol/events/event-base.ts'
import type {
  CommandInfo,
  Completion,
  CompletionQuery,
  HistoryQuery,
  PastInput,
} from '../../protocol/http/completion.ts'
import type { AgentRequest } from '../../protocol/http/agent-route.ts'
import type { CreateSession } from '../../protocol/http/session-routes.ts'
import type { Frame } from '../../protocol/stream/frame.ts'
import type { Intent } from '../../protocol/http/intent.ts'
import type { Refusal } from '../../protocol/http/refusal.ts'
import type { Result } from '../../base/result.ts'
import type { Head, SessionId } from '../../protocol/events/seq.ts'
import type { Accepted, SessionView } from '../../protocol/http/session-view.ts'
import type { SessionState } from '../../log/state.ts'
import type { EdgeCommandsDeps } from '../commands/edge-answer.ts'
import type { CompleteOptions } from '../complete/completer.ts'
import type { InputHelp } from '../complete/input-help.ts'
import type { Models } from '../model/models.ts'
import type { OneShots } from '../one-shot/one-shots.ts'
import type { Taker, Begin } from './hand-over.ts'
import type { SessionPages } from '../pages/session-pages.ts'
import type { EventStore } from '../store/store.ts'
import type { LiveView } from '../terminal/live-view/live-view.ts'
import type { TerminalEvents } from '../terminal/terminal-options.ts'
import type { Terminal } from '../terminal/terminal.ts'
import type { Gathered, GatherWorld } from '../world/world.ts'

/**
 * Takes frames until it says `false`: it is full or gone, and gets no more. A replay waits for a promise; what is
 * live waits for nobody.
 */
export type FrameSink = (frame: Frame) => boolean | Promise<boolean>

/** Help for a person who types into a session. */
export interface SessionInput {
  /** Everything that could stand at the cursor of somebody’s composer. */
  complete(query: CompletionQuery, options: CompleteOptions): Promise<Completion>
  /** Earlier inputs of the team. */
  history(query: HistoryQuery): Promise<readonly PastInput[]>
  /** Everything that can be typed as `/name`. */
  commands(): Promise<readonly CommandInfo[]>
}

/** The owner of one session in the server: one queue, one writer. */
export interface SessionHost extends SessionPages, SessionInput {
  readonly id: SessionId
  /** The live terminal; looking at it starts a shell. */
  readonly liveView: LiveView
  /** Resolves when what the intent caused is on disk. */
  handle(intent: Intent, by: By): Promise<Result<Accepted, Refusal>>
  view(): SessionView
  /** Replays the events after `after`, then everything open from offset 0, then goes live. */
  subscribe(after: Head, sink: FrameSink): () => void
}

/** A host and what only its owner may do with it. */
export interface OwnedHost {
  host: SessionHost
  /** Gives the shell to a session that begins with it; false when there is none. */
  handOver(taker: Taker): Promise<Result<boolean, Refusal>>
  /** Ends the shell and its holder; the log stays. */
  endShell(): Promise<void>
  /** The server leaves: runs live on in their holder, replies are picked up by recovery. */
  release(reason: 'deleted' | 'shutdown'): Promise<void>
  /** A turn or a run is under way. */
  isBusy(): boolean
  /** Nobody follows or looks, there is no shell, and nothing is under way or waits. */
  isIdle(): boolean
  subscribers(): number
  /** Lets go of old output; false when no holder is connected. */
  forgetOutput(before: number): boolean
}

/** The parts of the server that a session is given. */
export interface SessionHostDeps {
  id: SessionId
  /** As loaded: what is open in it was begun by an earlier server. */
  state: SessionState
  store: EventStore
  models: Models
  gather: GatherWorld
  /** Tells a model of the world, once, when it is first asked. */
  facts(state: SessionState, gathered: Gathered, dialect: Dialect): string
  commands: EdgeCommandsDeps
  inputHelp: InputHelp
  /** Gives what another session over a history begins with. */
  begin: Begin
  openTerminal(heard: TerminalEvents): Terminal
  /** Names the folder of another session of the same team. */
  folderOf(session: SessionId): string
  oneShots: OneShots
  /** The server ends: what is being opened is not waited for. */
  leaving: AbortSignal
  diagnose(message: string, error: unknown): void
  clock(): number
  uuid(): string
}

/** All sessions of the server. */
export interface Hosts {
  create(options: CreateSession): Promise<Result<SessionHost, Refusal>>
  /**
   * A session that nobody attends and no list names, over a history that its caller keeps; its turn has begun when this
   * resolves.
   */
  createThrowAway(request: AgentRequest): Promise<Result<SessionHost, Refusal>>
  /** Its call is over: what is under way is given up, its shell ends, and it leaves memory. Its log stays for the audit. */
  endThrowAway(id: SessionId): Promise<void>
  open(id: SessionId): Promise<Result<SessionHost, Refusal>>
  list: EventStore['list']
  remove(id: SessionId): Promise<boolean>
  count(): number
}
