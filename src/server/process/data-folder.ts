import { lstatSync, mkdirSync, type Stats } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

/** Which exit code the command line gives it. */
export type StartFailure = 'config' | 'port' | 'folder' | 'running'

/** The server cannot start. The message says why and what to do. */
export class StartError extends Error {
  override readonly name = 'StartError'
  readonly failure: StartFailure

  constructor(failure: StartFailure, message: string, options?: ErrorOptions) {
    super(message, options)
    this.failure = failure
  }
}

/** The folder where everything is kept. XDG says that a relative path there is no path. */
export function dataFolder(env: Readonly<Record<string, string | undefined>>): string {
  const own = env['TANDEM_HOME']
  if (own !== undefined && own !== '') return own
  const xdg = env['XDG_DATA_HOME']
  const base =
    xdg !== undefined && isAbsolute(xdg) ? xdg : join(env['HOME'] ?? homedir(), '.local', 'share')
  return join(base, 'tandem')
}

/** Makes the data folder, or refuses one that is not the user's alone. */
export function makeDataFolder(home: string): void {
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 })
  } catch (cause) {
    throw new StartError('folder', `cannot make the data folder ${home}. Set TANDEM_HOME.`, {
      cause,
    })
  }
  const problem = folderProblem(home)
  if (problem !== null) throw new StartError('folder', problem)
}

/**
 * The reason why a folder cannot be trusted with what is kept in it, and the command that mends it; null when it can,
 * or when there is none. Somebody else's server or token in it would get what is ours.
 */
export function folderProblem(home: string): string | null {
  const stat = statOf(home)
  if (stat === null) return null
  const it = `the data folder ${home}`
  if (stat.isSymbolicLink()) return `${it} is a link. Set TANDEM_HOME to the folder itself.`
  if (!stat.isDirectory()) return `${it} is not a folder. Remove it, or set TANDEM_HOME.`
  if (stat.uid !== process.getuid?.())
    return `${it} belongs to another user. Set TANDEM_HOME to a folder of yours.`
  if ((stat.mode & 0o077) !== 0) return `${it} is open to other users. Run: chmod 700 '${home}'`
  return null
}

/** Null when there is nothing, or nothing can be there: below a file, for one. */
function statOf(path: string): Stats | null {
  try {
    return lstatSync(path)
  } catch {
    return null
  }
}

/** Beside each other in the data folder: where the server is, and the token that opens it. */
export const serverFile = 'server.json'
export const tokenFile = 'token'
/** By this name the policy knows that secrets are in it. */
export const keysFile = 'credentials.json'
export const serverLog = 'server.log'

export function teamFolder(home: string, team: string): string {
  return join(home, 'teams', team)
}

export function sessionFolder(home: string, team: string, session: string): string {
  return join(teamFolder(home, team), 'sessions', session)
}
