import { z } from 'zod'

/** Every cap of the product, each with its reason. The times of runs and replies can be configured; 0 means none. */
export const limits = {
  /** A result beyond this crowds out the conversation; head and tail keep the cause and the summary. */
  recordChars: 2_000,
  /**
   * The part of one reply that a page draws as Markdown, counted by `markdown-cost.ts`: some 1,500 lines or cells, 180 fences or
   * tags. Fifty thousand would hold the page up for many seconds; the rest is plain text.
   */
  markdownCost: 6_000,
  /** People page through the rest; one screen of more than this helps nobody and stalls a browser. */
  shownBytes: 100_000,
  /** One page of raw output: a long output takes few requests, and nobody holds much of it at once. */
  pageBytes: 1_048_576,
  /** A model that has not come to an end by then is going in circles; a person says whether to go on. */
  stepsPerTurn: 10,
  /** A prompt with a pasted log fits; a mistaken file upload does not. */
  inputChars: 1_000_000,
  /** The most a shell accepts in one go; the terminal layer sends more than 16 KB by file. */
  commandBytes: 256 * 1024,
  titleChars: 200,
  wordChars: 4_000,
  /** A request body larger than any input we accept, with room for JSON escapes. */
  bodyBytes: 4 * 1024 * 1024,
  /** A history of the stateless route: some 250,000 tokens. It is stored and told at one go, and others wait for that. */
  historyBodyBytes: 1024 * 1024,
  /** The longest command and its folder, with the same room. */
  commandBodyBytes: 2 * 1024 * 1024,
  /** Ids, a title and a path of 4,096 characters, each of them escaped. */
  smallBodyBytes: 32 * 1024,
  /** A nonce, a key and a name: from a stranger no more is read. */
  tinyBodyBytes: 1024,
  /** No request of ours has ten keys; a schema complains of a million others one by one. */
  bodyKeys: 64,
  /** Members and elements at any depth: a thousand messages of the stateless route make four thousand. */
  bodyParts: 8_192,
  /** Bodies are flat but for those messages; a million brackets are no request. */
  bodyDepth: 16,
  /** Inputs waiting for a running turn; more is a script gone wild. */
  queuedInputs: 100,
  /** Calls waiting for the terminal, for the same reason. */
  waitingCalls: 100,
  /** Calls taken from one reply: enough for any real plan, and a bound on a reply of 10,000 tags. */
  callsPerReply: 50,
  /** Calls a reply may have at all: each native one has to be answered, also if it is not run. */
  replyCalls: 200,
  /** A reply longer than this is cut by us: no provider sends so much in one answer. */
  replyChars: 4_000_000,
  /** Thoughts of one reply that people are shown: more than anybody reads of them. The log has all. */
  thoughtChars: 100_000,
  /** One event of a provider: the last may repeat a whole reply, escaped. */
  replyEventChars: 16 * 1024 * 1024,
  /** The names of all models of a provider: some hundred, a few lines each. */
  modelListChars: 4 * 1024 * 1024,
  /** A model that says nothing for so long says nothing more: some think, and some servers load their model, for minutes. */
  replyIdleMs: 300_000,
  /** The longest reply that somebody still waits for. */
  replyTotalMs: 1_800_000,
  /** AGENTS.md in the first record: pages of rules; the model can read the rest itself. */
  guideChars: 20_000,
  /** One page of the log. */
  pageEvents: 1_000,
  /** Frames waiting for one slow client, in bytes; beyond it the client is dropped and resumes. */
  clientQueueBytes: 4 * 1024 * 1024,
  heartbeatMs: 15_000,
  /** The age of the stored draft of a reply: a crash costs no more. */
  draftMs: 250,
  /** A repeated key is recognised for so long. */
  keyDays: 7,
  /** Places of private output remembered apart; what lies between older ones is hidden with them. */
  hiddenRanges: 200,
  /** Models of a session that are counted apart; more nobody tries in one, and others are counted together. */
  meteredModels: 20,
  /** Closed questions remembered, to tell a late answer who was first. */
  answeredAsks: 50,
  /** More standing yeses than this nobody remembers having given. */
  sessionRules: 100,
  folderRules: 300,
  /** A model's command that finds its shell moved so often in a row is answered, not judged once more. */
  movedRuns: 3,
  modelRunMs: 30_000,
  /** The most a model can ask for with `<shell timeout>`. */
  modelRunMaxMs: 600_000,
  /** Silence, not duration, for a person's own run. */
  personSilenceMs: 30_000,
  oneShotMs: 60_000,
  /** One-shot commands of a team at the same time: enough to be of use, few enough for a laptop. */
  oneShotsAtOnce: 8,
  /** Sessions a new server picks up by itself; the rest is picked up when somebody opens it. */
  resumedSessions: 200,
  /** Shells that `stop --shells` ends at once; a machine has memory for fewer. */
  endedSessions: 10_000,
  /** Throw-away sessions of the stateless agent route. */
  agentSessions: 4,
  /** Logs of its calls that stay for the audit; each holds all of the history that its caller sent. */
  agentLogs: 200,
  /** A question about an input travels in an address, and servers take no long ones. */
  queryChars: 4_000,
  /** Past inputs of a team that are looked through: some years of typing. */
  pastInputs: 5_000,
  /** File names of a workspace that completion keeps in memory. */
  completedFiles: 200_000,
  /** Nobody reads more of a list that the next letter makes shorter. */
  completions: 50,
  /** Listing 50,000 files takes a second on a cold disk; a network disk that sleeps takes for ever. */
  listFilesMs: 10_000,
  /** The memory that the paths of one listing may take. */
  listFilesChars: 32 * 1024 * 1024,
  /**
   * A file that a person names is what the prompt is about, so it gets more room than the output of a
   * command: some 400 lines of source, a few thousand tokens.
   */
  mentionChars: 20_000,
  /** Longer lines are data or were made by a program; their beginning shows which. */
  mentionLineChars: 2_000,
  /** Beyond it a file’s lines are not counted: that would take seconds. */
  mentionBytes: 32 * 1024 * 1024,
  /** Entries of a folder that is named: an overview, not an inventory. */
  mentionEntries: 500,
  /** Files that are counted below a folder; beyond it there are just more. */
  listedFiles: 100_000,
  /** Providers take 5 MB a picture and count it as it is sent, in base64: four bytes for three. */
  imageBytes: (5 * 1024 * 1024 * 3) / 4,
  /** A side longer than this is refused by a provider, and with it every later request. */
  imageSide: 8_000,
  /** Pictures a session may hold, for the same reason: a request has them all. */
  sessionImages: 20,
  /** The size of all of them, well below the smallest request that a provider takes. */
  sessionImageBytes: 12 * 1024 * 1024,
} as const

/** The limits a session was started with; later changes to the configuration do not reach it. */
export const SessionLimits = z.object({
  stepsPerTurn: z.number().int().min(1).max(1_000),
  modelRunMs: z.number().int().min(0),
  personSilenceMs: z.number().int().min(0),
  oneShotMs: z.number().int().min(0),
})
export type SessionLimits = z.infer<typeof SessionLimits>

/** How long a model’s reply is waited for; 0 means for ever. */
export interface ReplyTimes {
  /** Without a sign of life. */
  idleMs: number
  /** In all. */
  totalMs: number
}

export const defaultReplyTimes: ReplyTimes = {
  idleMs: limits.replyIdleMs,
  totalMs: limits.replyTotalMs,
}

export const defaultSessionLimits = SessionLimits.parse(limits)
