import type { By } from '../protocol/by.ts'
import type { CacheReport } from '../protocol/cache-report.ts'
import type {
  CommandInfo,
  Completion,
  CompletionQuery,
  HistoryQuery,
  PastInput,
} from '../protocol/completion.ts'
import type { Event } from '../protocol/event.ts'
import type { Frame } from '../protocol/frame.ts'
import type { Intent } from '../protocol/intent.ts'
import type { Refusal } from '../protocol/refusal.ts'
import type { Result } from '../protocol/result.ts'
import type { CreateSession } from '../protocol/create-session.ts'
import type { ExportFormat } from '../protocol/page-routes.ts'
import type { Head, RunId, SessionId } from '../protocol/seq.ts'
import type {
  Accepted,
  RunOutput,
  RunView,
  SessionSummary,
  SessionView,
} from '../protocol/session-view.ts'
import type { CompleteOptions } from './complete/completer.ts'
import type { Range } from './store/store.ts'
import type { Lane } from './terminal/lane/lane.ts'

/** Takes frames until it says `false`: it is full or gone, and gets no more. */
export type FrameSink = (frame: Frame) => boolean

/** The owner of one session in the server: one queue, one writer. */
export interface SessionHost {
  readonly id: SessionId
  /** The live terminal; looking at it starts a shell. */
  readonly lane: Pick<Lane, 'view' | 'type' | 'head' | 'state'>
  /** Resolves when what the intent caused is on disk. */
  handle(intent: Intent, by: By): Promise<Result<Accepted, Refusal>>
  view(): SessionView
  /** Replays the events after `after`, then everything open from offset 0, then goes live. */
  subscribe(after: Head, sink: FrameSink): () => void
  readLog(range: Range): Promise<readonly Event[]>
  run(run: RunId): Promise<RunView | null>
  output(run: RunId, page: { from: number; limit: number }): Promise<RunOutput | null>
  bytes(
    run: RunId,
    page: { from: number; limit: number },
  ): Promise<{ offset: number; bytes: Buffer } | null>
  export(format: ExportFormat): Promise<string>
  /** What of each request had been sent before. */
  cache(): Promise<CacheReport>
  /** What could stand at the cursor of somebody’s composer. */
  complete(query: CompletionQuery, options: CompleteOptions): Promise<Completion>
  /** Earlier inputs of the team. */
  history(query: HistoryQuery): Promise<readonly PastInput[]>
  /** Everything that can be typed as `/name`. */
  commands(): Promise<readonly CommandInfo[]>
}

/** A message of a history that a caller of the stateless route keeps. */
export interface SuppliedMessage {
  role: 'user' | 'assistant' | 'tool' | 'system'
  content: string
}

/** All sessions of the server. */
export interface Hosts {
  create(options: CreateSession): Promise<Result<SessionHost, Refusal>>
  /**
   * A session that nobody attends, over a supplied history whose last message is the prompt; its
   * turn has begun when this resolves. Removed hosts end with `remove`; the log stays otherwise.
   */
  createThrowAway(messages: readonly SuppliedMessage[]): Promise<Result<SessionHost, Refusal>>
  open(id: SessionId): Promise<SessionHost | null>
  list(filter: {
    team?: string | undefined
    workspace?: string | undefined
    limit: number
  }): Promise<readonly SessionSummary[]>
  remove(id: SessionId): Promise<boolean>
  /** Ends a session's shell but keeps its log. */
  endShell(id: SessionId): Promise<void>
  /** Nobody will use it any more: it leaves memory, if it has nothing under way. Its log stays. */
  letGo(id: SessionId): Promise<void>
  count(): number
}
