import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

/** Where everything is kept. XDG says that a relative path there is no path. */
export function dataFolder(env: Readonly<Record<string, string | undefined>>): string {
  const own = env['TANDEM_HOME']
  if (own !== undefined && own !== '') return own
  const xdg = env['XDG_DATA_HOME']
  const base =
    xdg !== undefined && isAbsolute(xdg) ? xdg : join(env['HOME'] ?? homedir(), '.local', 'share')
  return join(base, 'tandem')
}

/** Beside each other in the data folder: where the server is, and the token that opens it. */
export const serverFile = 'server.json'
export const tokenFile = 'token'
export const serverLog = 'server.log'

export function teamFolder(home: string, team: string): string {
  return join(home, 'teams', team)
}

export function sessionFolder(home: string, team: string, session: string): string {
  return join(teamFolder(home, team), 'sessions', session)
}
