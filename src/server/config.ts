import { join } from 'node:path'
import { ConfigFile } from '../protocol/config.ts'
import { Dialect } from '../protocol/events/epoch.ts'
import { defaultReplyTimes, defaultSessionLimits, type SessionLimits } from '../protocol/limits.ts'
import type { ApprovalMode } from '../protocol/events/approval-mode.ts'
import { configFolder } from '../skill/skill-folders.ts'
import { readRegular } from './files/read-regular.ts'
import { dataFolder, StartError } from './process/data-folder.ts'
import type { ModelSettings } from './model/models.ts'
import { secretVariables } from './model/book/all-providers.ts'
import type { Prices } from './model/prices.ts'
import { proxyNames } from './model/transport/proxy.ts'
import type { ProcessLimitsOptions } from './process/process-limits.ts'
import { pickShell } from './terminal/integration/pick-shell.ts'

/** Flags of the command line; they go before the environment and the file. */
export interface Flags {
  home?: string | undefined
  port?: number | undefined
  model?: string | undefined
  shell?: string | undefined
  idleMs?: number | undefined
}

export interface Config {
  home: string
  /** Null takes the remembered port, else any. */
  port: number | null
  models: ModelSettings
  /** Prices of models, before those that are known. */
  prices?: Prices
  shell: string
  /** So long a new shell may take to its first prompt before one goes on without; 0 = for ever. */
  startMs: number
  approval: ApprovalMode
  limits: SessionLimits
  processLimits: ProcessLimitsOptions
  /** 0 = never. */
  idleMs: number
  /** So long a session that nobody uses stays in memory; 0 = for ever. */
  sessionIdleMs: number
  /** The environment that a shell starts with. */
  shellEnv: Readonly<Record<string, string>>
}

type Env = Readonly<Record<string, string | undefined>>

/** flag > environment > user file > default. The one reader of the environment. */
export function readConfig(flags: Flags, env: Env): Config {
  const file = readFile(join(configFolder(env), 'tandem', 'config.json'))
  const secrets = secretVariables(file.providers)
  return {
    home: flags.home ?? dataFolder(env),
    port: first(flags.port, file.port) ?? null,
    models: modelSettings(flags, env, { file, secrets }),
    ...(file.prices && { prices: file.prices }),
    shell: first(flags.shell, env['TANDEM_SHELL'], file.shell) ?? defaultShell(env),
    startMs: Math.round((file.shellStartSeconds ?? defaultStartSeconds) * 1_000),
    approval: file.approval ?? 'guarded',
    limits: sessionLimits(file),
    processLimits: processLimits(file),
    idleMs: flags.idleMs ?? (file.idleMinutes ?? defaultIdleMinutes) * 60_000,
    sessionIdleMs: (file.sessionIdleMinutes ?? defaultIdleMinutes) * 60_000,
    shellEnv: shellEnv(env, { keep: file.shellKeepEnv ?? [], secrets }),
  }
}

/** The variables that a provider's key or address is read from; an address may hold a password or a key. */
type Secrets = ReadonlySet<string>

function modelSettings(
  flags: Flags,
  env: Env,
  { file, secrets }: { file: ConfigFile; secrets: Secrets },
): ModelSettings {
  const names = [...secrets, ...proxyNames]
  const known = names.flatMap((name) => (env[name] ? [[name, env[name]] as const] : []))
  return {
    model: first(flags.model, env['TANDEM_MODEL'], file.model) ?? null,
    baseUrl: file.baseUrl ?? null,
    dialect: dialectOf(env['TANDEM_DIALECT']) ?? file.dialect ?? null,
    strict: file.strictAlternation ?? null,
    env: Object.fromEntries(known),
    providers: file.providers,
    commandEnv: shellEnv(env, { keep: [], secrets }),
    times: {
      idleMs: ms(file.modelSilenceSeconds, defaultReplyTimes.idleMs),
      totalMs: ms(file.modelReplySeconds, defaultReplyTimes.totalMs),
    },
  }
}

function dialectOf(value: string | undefined): Dialect | null {
  if (value === undefined || value === '') return null
  const parsed = Dialect.safeParse(value)
  if (parsed.success) return parsed.data
  throw new StartError('config', `TANDEM_DIALECT is "${value}"; it can be tags or tools.`)
}

const defaultIdleMinutes = 10
const defaultStartSeconds = 10

/** The first that says anything. */
function first<T>(...values: readonly (T | undefined)[]): T | undefined {
  return values.find((value) => value !== undefined && value !== '')
}

function readFile(path: string): ConfigFile {
  let text: string
  try {
    text = readRegular(path)
  } catch (cause) {
    if (isAbsent(cause)) return {}
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new StartError('config', `cannot read ${path}: ${why}. Mend or remove it.`, { cause })
  }
  const parsed = ConfigFile.safeParse(parseJson(text, path))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const where = issue?.path.join('.') || 'the whole file'
  // A name that cannot be one: only the issue within says how names are.
  const why = issue?.code === 'invalid_key' ? issue.issues[0]?.message : issue?.message
  throw new StartError('config', `${path}: ${where}: ${why ?? 'not valid'}. Mend it.`)
}

/** Nobody has to have one; below a file there can be none. */
function isAbsent(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : ''
  return code === 'ENOENT' || code === 'ENOTDIR'
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new StartError('config', `${path} is not valid JSON. Mend or remove it.`, { cause })
  }
}

function ms(seconds: number | undefined, otherwise: number): number {
  return seconds === undefined ? otherwise : Math.round(seconds * 1_000)
}

function sessionLimits(file: ConfigFile): SessionLimits {
  return {
    stepsPerTurn: file.stepsPerTurn ?? defaultSessionLimits.stepsPerTurn,
    modelRunMs: ms(file.modelRunSeconds, defaultSessionLimits.modelRunMs),
    personSilenceMs: ms(file.personSilenceSeconds, defaultSessionLimits.personSilenceMs),
    oneShotMs: ms(file.oneShotSeconds, defaultSessionLimits.oneShotMs),
  }
}

function processLimits({ processes, memoryMegabytes }: ConfigFile): ProcessLimitsOptions {
  return {
    ...(processes !== undefined && { tasks: processes }),
    ...(memoryMegabytes !== undefined && { memoryBytes: memoryMegabytes * 1024 * 1024 }),
  }
}

/** The person's own shell if it is one that we can hear, else bash. */
function defaultShell(env: Env): string {
  const own = env['SHELL']
  return own !== undefined && pickShell(own).ok ? own : 'bash'
}

/**
 * The person's environment, without what is ours, the secrets that the server uses, and what belongs to the terminal
 * we came from. A person may keep some by name; what their start files export is theirs anyway.
 */
function shellEnv(
  env: Env,
  { keep, secrets }: { keep: readonly string[]; secrets: Secrets },
): Readonly<Record<string, string>> {
  const kept = Object.entries(env).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && (keep.includes(entry[0]) || !isOurs(entry[0], secrets)),
  )
  return { ...Object.fromEntries(kept), TERM: 'xterm-256color', COLORTERM: 'truecolor' }
}

function isOurs(name: string, secrets: Secrets): boolean {
  return secrets.has(name) || /^(TANDEM_|npm_)/.test(name) || terminalNames.test(name)
}

const terminalNames =
  /^(?:INIT_CWD|COLUMNS|LINES|TMUX|TMUX_PANE|STY|OLDPWD|TERM_PROGRAM|TERM_PROGRAM_VERSION|NODE_CHANNEL_FD)$/
