import type { ModelInfo } from '../../protocol/model-info.ts'
import type { SkillInfo } from '../../protocol/skill.ts'
import type { Hosts } from '../host.ts'
import type { ReadStats } from '../stats/stats.ts'
import type { ShellResults } from '../teams/shell-results.ts'
import type { Teams } from '../teams/teams.ts'
import type { Trust } from '../trust.ts'
import type { HttpBounds } from './bounds.ts'
import type { OneTimeSecrets } from './secrets.ts'
import type { OpenStreams } from './streams.ts'
import type { TokenFile } from './token.ts'

/** What the composition root gives the HTTP layer. */
export interface HttpDeps {
  hosts: Hosts
  teams: Teams
  trust: Trust
  /** How one-shot commands stand. */
  shellResults: ShellResults
  /** Those of the person, and of a folder that is trusted. */
  skills(folder: string | null): Promise<readonly SkillInfo[]>
  /** How it all was used, counted from the logs. */
  stats: ReadStats
  token: TokenFile
  version: string
  /** The model a new session would use, for people to see. */
  model(): string
  /** What can be talked to; asks the providers. */
  models(): Promise<readonly ModelInfo[]>
  /** What holds back the programs in a shell, for people to see. */
  limits?(): string
  /** Called once the answer to the caller is out. */
  shutdown(options: { shells: 'keep' | 'end' }): void
  /** Takes a line for whoever looks after the server; never shown to a client. */
  diagnostics(line: string): void
  /** Monotonic milliseconds. */
  now: () => number
  bounds?: Partial<HttpBounds>
}

/** The same, with what the listening server adds. */
export interface AppDeps extends Omit<HttpDeps, 'bounds'> {
  bounds: HttpBounds
  startSecrets: OneTimeSecrets
  tickets: OneTimeSecrets
  streams: OpenStreams
  /** The port in use; the app exists before it is known. */
  port: () => number
}

/** The address that logs a browser in, once. The fragment never reaches a server or its logs. */
export function startUrl(deps: Pick<AppDeps, 'port'>, secret: string): string {
  return `http://127.0.0.1:${deps.port()}/#secret=${secret}`
}
