import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { ConfigFile } from '../protocol/config.ts'
import { Dialect } from '../protocol/epoch.ts'
import { defaultSessionLimits, type SessionLimits } from '../protocol/limits.ts'
import type { ApprovalMode } from '../protocol/session.ts'
import { dataFolder } from './data-folder.ts'
import type { ModelSettings } from './model/models.ts'
import { providers } from './model/providers.ts'
import type { ProcessLimitsOptions } from './process-limits.ts'
import { StartError } from './start-error.ts'
import { pickShell } from './terminal/integration/pick-shell.ts'

/** What can be said on the command line; it goes before the environment and the file. */
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
  shell: string
  /** So long a new shell may take to its first prompt before one goes on without; 0 = for ever. */
  startMs: number
  approval: ApprovalMode
  limits: SessionLimits
  processLimits: ProcessLimitsOptions
  /** 0 = never. */
  idleMs: number
  /** Of a session in memory; 0 = for ever. */
  sessionIdleMs: number
  /** What a shell starts with. */
  shellEnv: Readonly<Record<string, string>>
}

type Env = Readonly<Record<string, string | undefined>>

/** flag > environment > user file > default. The one reader of the environment. */
export function readConfig(flags: Flags, env: Env): Config {
  const file = readFile(userFile(env))
  return {
    home: flags.home ?? dataFolder(env),
    port: first(flags.port, file.port) ?? null,
    models: modelSettings(flags, env, file),
    shell: first(flags.shell, env['TANDEM_SHELL'], file.shell) ?? defaultShell(env),
    startMs: Math.round((file.shellStartSeconds ?? defaultStartSeconds) * 1_000),
    approval: file.approval ?? 'guarded',
    limits: sessionLimits(file),
    processLimits: processLimits(file),
    idleMs: flags.idleMs ?? (file.idleMinutes ?? defaultIdleMinutes) * 60_000,
    sessionIdleMs: (file.sessionIdleMinutes ?? defaultIdleMinutes) * 60_000,
    shellEnv: shellEnv(env),
  }
}

function modelSettings(flags: Flags, env: Env, file: ConfigFile): ModelSettings {
  const names = providers.flatMap(({ keys, baseUrlName }) => [...keys, baseUrlName])
  const known = names.flatMap((name) => (env[name] ? [[name, env[name]] as const] : []))
  return {
    model: first(flags.model, env['TANDEM_MODEL'], file.model) ?? null,
    baseUrl: file.baseUrl ?? null,
    dialect: dialectOf(env['TANDEM_DIALECT']) ?? file.dialect ?? null,
    strict: file.strictAlternation ?? false,
    env: Object.fromEntries(known),
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

function userFile(env: Env): string {
  const xdg = env['XDG_CONFIG_HOME']
  const base =
    xdg !== undefined && isAbsolute(xdg) ? xdg : join(env['HOME'] ?? homedir(), '.config')
  return join(base, 'tandem', 'config.json')
}

function readFile(path: string): ConfigFile {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    return {}
  }
  const parsed = ConfigFile.safeParse(parseJson(text, path))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const where = issue?.path.join('.') || 'the whole file'
  throw new StartError('config', `${path}: ${where}: ${issue?.message ?? 'not valid'}. Mend it.`)
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new StartError('config', `${path} is not valid JSON. Mend or remove it.`, { cause })
  }
}

function sessionLimits(file: ConfigFile): SessionLimits {
  const ms = (value: number | undefined, otherwise: number) =>
    value === undefined ? otherwise : Math.round(value * 1_000)
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

/** The person's environment, without what is ours and what belongs to the terminal we came from. */
function shellEnv(env: Env): Readonly<Record<string, string>> {
  const kept = Object.entries(env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !isOurs(entry[0]),
  )
  return { ...Object.fromEntries(kept), TERM: 'xterm-256color', COLORTERM: 'truecolor' }
}

function isOurs(name: string): boolean {
  return /^(TANDEM_|npm_)/.test(name) || terminalNames.has(name)
}

const terminalNames = new Set([
  'INIT_CWD',
  'COLUMNS',
  'LINES',
  'TMUX',
  'TMUX_PANE',
  'STY',
  'OLDPWD',
  'TERM_PROGRAM',
  'TERM_PROGRAM_VERSION',
  'NODE_CHANNEL_FD',
])
