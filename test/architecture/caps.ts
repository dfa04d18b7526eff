import type { limits } from '../../src/protocol/limits.ts'
import type { skillLimits } from '../../src/protocol/skill-limits.ts'
import type { httpBounds } from '../../src/server/http/bounds.ts'

/** A test file, and the beginning of a test's name in it that hits the cap. */
type Hit = readonly [file: string, test: string]

const requests: Hit = ['test/http/caps.test.ts', '[HTTP10] %s has a bound']
const bodies: Hit = ['test/http/budgets.test.ts', '[HTTP96] no route reads more']
const shapes: Hit = ['test/http/budgets.test.ts', '[HTTP96] no route shows a schema']
const waits: Hit = ['test/http/caps.test.ts', '[HTTP96] headers, a body and a next request']
const session: Hit = ['src/session/caps.test.ts', '[CMD14] a command with more words']
const replies: Hit = ['src/server/session/call-model.test.ts', '[LOOP5] a reply that falls silent']
const calls: Hit = [
  'src/server/session/call-model.test.ts',
  '[LOOP11] a reply that asks for hundreds',
]
const pictures: Hit = [
  'test/mentions/picture.test.ts',
  '[IMG3] a picture that the model does not take',
]
const mentions: Hit = ['test/mentions/read.test.ts', '[AT11] a huge file']
const config: Hit = ['src/server/config.test.ts', '[CONF2] times are written']
const bombs: Hit = ['src/skill/archive/archive.test.ts', '[ARC7] a bomb is refused']
const records: Hit = ['src/session/append.test.ts', '[TR9] a record is at most 2,000']
const sockets = (name: string): Hit => ['test/http/socket.test.ts', name]
const events = (name: string): Hit => ['test/http/events.test.ts', name]

/** Every cap, and the test that hits it, or why none does: a new cap without a row does not compile. */
const ofLimits: Readonly<Record<keyof typeof limits, Hit | string>> = {
  recordChars: records,
  markdownCost: ['src/view/rows/segments.test.ts', '[WEB14] quotes in quotes without end'],
  shownBytes: requests,
  pageBytes: requests,
  stepsPerTurn: ['test/e2e/model-run.test.ts', '[LOOP1] after ten steps'],
  inputChars: requests,
  commandBytes: session,
  titleChars: session,
  wordChars: ['src/session/caps.test.ts', '[CMD14] a word with a no'],
  bodyBytes: bodies,
  historyBodyBytes: bodies,
  commandBodyBytes: bodies,
  smallBodyBytes: bodies,
  tinyBodyBytes: bodies,
  bodyKeys: shapes,
  bodyParts: ['test/http/budgets.test.ts', '[HTTP96] elements without number'],
  bodyDepth: shapes,
  queuedInputs: ['src/session/caps.test.ts', '[LOOP2] a script gone wild'],
  waitingCalls: ['src/session/decide/route-command.test.ts', '[CFILE5] a command file'],
  callsPerReply: ['src/session/record/reply.test.ts', '[LOOP11] of a hundred thousand tags'],
  replyCalls: calls,
  replyChars: ['test/models/anthropic.test.ts', '[MODEL49] arguments without an end'],
  meteredModels: ['src/log/meter.test.ts', '[MODEL5] of a session with ever new models'],
  thoughtChars: ['src/server/model/thoughts.test.ts', '[VIEW16] of thoughts without an end'],
  replyEventChars: ['test/models/wrong-answers.test.ts', '[MODEL89] an event without an end'],
  modelListChars: ['test/models/wrong-answers.test.ts', '[MODEL89] a list of models'],
  replyIdleMs: replies,
  replyTotalMs: replies,
  guideChars: ['test/hosts/looker.rest.test.ts', '[TYPE16] of a project’s long AGENTS.md'],
  pageEvents: requests,
  clientQueueBytes: sockets('[HTTP55] a socket that stalls'),
  heartbeatMs: events('[HTTP53] a quiet stream'),
  draftMs: ['src/server/session/call-model.test.ts', '[REC1] the draft of a reply'],
  keyDays: ['src/server/store/forget-keys.test.ts', '[STORE4] keys are forgotten'],
  hiddenRanges: ['src/log/hidden.test.ts', '[TERM117] whatever happens'],
  sessionRules: ['src/session/scope.test.ts', '[APP71] a session has a bounded number'],
  folderRules: ['test/teams/folder-rules.test.ts', '[APP71] the oldest rules of a folder'],
  answeredAsks: ['src/session/caps.test.ts', '[APP6] of many answered questions'],
  movedRuns: ['src/session/record/moved-run.test.ts', '[APP60] a run that is not started'],
  modelRunMs: config,
  modelRunMaxMs: ['src/session/record/reply.test.ts', '[LOOP26] the time that a model asks for'],
  personSilenceMs: config,
  oneShotMs: ['test/one-shot/ending.rest.test.ts', '[ONE20] at its time limit'],
  oneShotsAtOnce: ['test/one-shot/slots.test.ts', '[ONE40]'],
  resumedSessions: ['test/hosts/ends.rest.test.ts', '[HOST5] more shells than'],
  endedSessions: 'no machine has so many shells',
  agentSessions: ['test/http/agent.test.ts', '[HTTP74] at most so many'],
  agentLogs: ['src/server/hosts/throw-aways.test.ts', '[HOST8] of many calls'],
  queryChars: requests,
  pastInputs: ['src/server/history/history.test.ts', '[HIST1] of a team’s inputs'],
  completedFiles: ['src/server/complete/completer.test.ts', '[COMP24] no more names'],
  completions: ['src/server/complete/completer.test.ts', '[COMP2] no more is offered'],
  listFilesMs: ['test/mentions/folder.test.ts', '[AT35] a listing that an ignore file holds up'],
  listFilesChars: ['test/mentions/folder.test.ts', '[AT35] the paths of a listing'],
  mentionChars: mentions,
  mentionLineChars: ['src/server/mentions/line-window.test.ts', '[AT11] a line that is too long'],
  mentionBytes: mentions,
  mentionEntries: ['test/mentions/folder.test.ts', '[AT35] of a folder with more entries'],
  listedFiles: ['test/mentions/folder.test.ts', '[AT35] a listing stops at its limit'],
  imageBytes: pictures,
  imageSide: pictures,
  sessionImages: pictures,
  sessionImageBytes: pictures,
}

const ofHttp: Readonly<Record<keyof typeof httpBounds, Hit | string>> = {
  bodyBytes: ['test/http/bodies.test.ts', '[HTTP10] a body of exactly the limit'],
  clientQueueBytes: sockets('[HTTP55] a socket that stalls'),
  heartbeatMs: events('[HTTP53] a quiet stream'),
  agentSessions: ['test/http/agent.test.ts', '[HTTP74] at most so many'],
  replayBytes: events('[HTTP55] a log far longer'),
  stallMs: events('[HTTP55] a replay that nobody reads'),
  graceMs: sockets('[HTTP55] a dropped socket'),
  ticketWaitMs: sockets('[HTTP62] a socket whose ticket does not come'),
  pingMs: sockets('[HTTP55] a socket that answers no ping'),
  missedPings: sockets('[HTTP55] a socket that answers no ping'),
  subscriptions: sockets('[HTTP62] every message that cannot be followed'),
  messageBytes: sockets('[HTTP62] an oversized message'),
  urlBytes: ['test/http/framing.test.ts', '[HTTP21] oversized headers and addresses'],
  headerBytes: ['test/http/framing.test.ts', '[HTTP21] oversized headers and addresses'],
  headers: ['test/http/budgets.test.ts', '[HTTP96] a hundred headers are read'],
  headersMs: waits,
  requestMs: waits,
  keepAliveMs: waits,
  restBytes: ['test/http/budgets.test.ts', '[HTTP96] a body that is refused is not read on'],
  restMs: ['test/http/budgets.test.ts', '[HTTP96] a body that is refused is not read on'],
  connections: ['test/http/budgets.test.ts', '[HTTP96] of a full house'],
  controlFrames: sockets('[HTTP62] a few pings are answered'),
}

const ofSkills: Readonly<Record<keyof typeof skillLimits, Hit | string>> = {
  nameChars: ['test/http/caps.test.ts', '[SKILL8] a skill is told'],
  descriptionChars: ['test/http/caps.test.ts', '[SKILL8] a skill is told'],
  folderEntries: ['test/skills/command-files.test.ts', '[CFILE5] folders in folders'],
  skills: ['test/skills/discover.test.ts', '[SKILL8] discovery is bounded'],
  fileBytes: ['test/skills/discover.test.ts', '[SKILL8] discovery is bounded'],
  frontmatterChars: ['src/skill/frontmatter.test.ts', '[SKILL1] frontmatter has a bound'],
  listedFiles: ['test/skills/discover.test.ts', '[SKILL14] activation gives'],
  bodyChars: ['test/skills/discover.test.ts', '[SKILL14] activation gives'],
  textChars: ['src/server/world/skills-text.test.ts', '[SKILL14] the record is bounded'],
  shortDescriptionChars: ['src/server/world/skills-text.test.ts', '[SKILL14] a description that'],
  archiveBytes: [
    'src/skill/archive/archive-bounds.test.ts',
    '[ARC7] of an archive that is too large',
  ],
  unpackedBytes: bombs,
  unpackedFileBytes: bombs,
  unpackedFiles: bombs,
  unpackedRatio: bombs,
  ratioCountsFromBytes: bombs,
  pathChars: ['src/skill/archive/archive-bounds.test.ts', '[ARC2] a path has a bound'],
  commandFiles: ['test/skills/command-files.test.ts', '[CFILE5] there are at most'],
  commandFileBytes: ['test/skills/command-files.test.ts', '[CFILE5] what cannot be read'],
  commandFolderDepth: ['test/skills/command-files.test.ts', '[CFILE5] folders in folders'],
}

export const caps = [ofLimits, ofHttp, ofSkills].flatMap((group) => Object.entries(group))
