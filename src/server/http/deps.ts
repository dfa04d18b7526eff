import type { SkillInfo } from '../../protocol/http/skill.ts'
import type { IncomingMessage } from 'node:http'
import type { ServerAccess } from '../access/open-access.ts'
import type { Passes } from '../access/passes.ts'
import type { LogCare } from '../damage/log-care.ts'
import type { HttpBounds } from './bounds.ts'
import type { Connections } from './access.ts'
import type { OneTimeSecrets } from '../access/secrets.ts'
import type { OpenStreams } from './stream/deliver.ts'
import type { Models } from '../model/models.ts'
import type { Hosts } from '../session/host.ts'
import type { ReadAudit } from '../pages/read-audit.ts'
import type { ReadStats } from '../stats/stats.ts'
import type { ShellResults } from '../teams/shell-results.ts'
import type { Teams } from '../teams/teams.ts'
import type { FolderRules } from '../world/folder-rules.ts'
import type { Trust } from '../world/trusted-folders.ts'

/** The parts that the composition root gives the HTTP layer. */
export interface HttpDeps extends ServerAccess {
  hosts: Hosts
  teams: Teams
  trust: Trust
  rules: FolderRules
  /** How one-shot commands stand. */
  shellResults: ShellResults
  /** Those of the person, and of a folder that is trusted. */
  skills(folder: string | null): Promise<readonly SkillInfo[]>
  /** How it all was used, counted from the logs. */
  stats: ReadStats
  /** The commands of all sessions, and who decided on each. */
  audit: ReadAudit
  /** Damage to the log; without it there is none. */
  care?: Pick<LogCare, 'damage' | 'exportReadable'>
  version: string
  /** The models that can be talked to, and the one that a new session would use. */
  models: Pick<Models, 'initial' | 'list' | 'add' | 'remove' | 'test'>
  /** The limits of programs in a shell, for people to see. */
  limits?(): string
  /** Called once the answer to the caller is out. */
  shutdown(options: { shells: 'keep' | 'end' }): void
  /** Takes a line for whoever looks after the server; never shown to a client. */
  diagnostics(line: string): void
  /** Monotonic milliseconds; tests have a clock of their own. */
  now?: () => number
  bounds?: Partial<HttpBounds>
}

/** The same, with what the listening server adds. */
export interface AppDeps extends Omit<HttpDeps, 'bounds' | 'now'> {
  bounds: HttpBounds
  now: () => number
  startSecrets: OneTimeSecrets
  tickets: OneTimeSecrets
  streams: OpenStreams
  connections: Connections
  passes: Passes
  /** The request comes from somebody who may: a program of the owner's, or one with token or pass. */
  admits(incoming: IncomingMessage): boolean
  /** The program that sends it is none that runs in a shell of ours. */
  mayApprove(incoming: IncomingMessage): Promise<boolean>
  /** The port in use; the app exists before it is known. */
  port: () => number
}

/** The parts that a socket shows sessions with. */
export interface StreamDeps extends Pick<AppDeps, 'bounds' | 'diagnostics'> {
  hosts: Pick<Hosts, 'open'>
}

/** The address that logs a browser in, once. The fragment never reaches a server or its logs. */
export function startUrl(deps: Pick<AppDeps, 'port'>, secret: string): string {
  return `http://127.0.0.1:${deps.port()}/#secret=${secret}`
}
