import type { Doing } from './read-thread.ts'

/**
 * The state of our terminal's foreground:
 * - `prompt`: the shell's own line editor reads
 * - `waiting`: a program reads a line from us
 * - `secret`: it reads one that is not shown
 * - `raw`: it takes single keys (a REPL, an editor, a pager) and waits for the next
 * - `running`: it waits for nothing of ours
 * - `unknown`: the kernel does not tell
 */
export interface Foreground {
  state: 'running' | 'waiting' | 'secret' | 'raw' | 'prompt' | 'unknown'
  /** The kernel said so; otherwise it is the likelier reading of what it lets us see. */
  certain: boolean
  pid?: number
  program?: string
}

/** The way the terminal takes keys: by line, by line without showing them, or one by one. */
export type Keys = 'line' | 'hidden' | 'raw'

export interface Member {
  pid: number
  program: string
  doing: Doing
}

export interface Facts {
  shell: number
  /** One entry a thread of the foreground group. */
  members: readonly Member[]
  /** There were more than we looked at. */
  cut: boolean
  /** Null when they were not asked for, or cannot be read. */
  keys: Keys | null
}

export const unknown: Foreground = { state: 'unknown', certain: false }

/** The one that says most: a thread that reads our terminal outweighs all that do something else. */
const telling: readonly Doing[] = ['read', 'poll', 'either', 'serve', 'hidden', 'blind', 'linked']

export function mostTelling<T extends Member>(members: readonly T[]): T | null {
  for (const doing of telling) {
    const found = members.find((member) => member.doing === doing)
    if (found !== undefined) return found
  }
  return null
}

export function classify({ shell, members, cut, keys }: Facts): Foreground {
  const member = mostTelling(members)
  const [first] = members
  if (member === null) {
    return cut || first === undefined ? unknown : said('running', true, first)
  }
  if (keys === null) return { ...unknown, ...naming(member) }
  const seen = !['hidden', 'blind', 'linked'].includes(member.doing)
  if (keys === 'hidden' && member.doing !== 'linked') return said('secret', seen, member)
  // `linked` in raw mode: the other end reads our keys, as the server of tmux does.
  if (keys === 'raw') return said(isPrompt(member, shell) ? 'prompt' : 'raw', seen, member)
  return byLine(member, cut)
}

/** A terminal in its ordinary mode, or one whose mode says nothing of this program. */
function byLine(member: Member, cut: boolean): Foreground {
  switch (member.doing) {
    case 'read':
    case 'poll':
      return said('waiting', true, member)
    case 'serve':
      return said('running', true, member)
    // ssh without a terminal, a chat: whichever comes first. Nobody can say that it waits for us.
    case 'either':
    case 'hidden':
      return said('unknown', false, member)
    // Servers and file watchers look like this far more often than prompts.
    case 'blind':
      return cut ? said('unknown', false, member) : said('running', false, member)
    case 'linked':
    case 'busy':
      return cut ? said('unknown', false, member) : said('running', true, member)
    default:
      return member.doing satisfies never
  }
}

/** Line editors poll before they read, so that a plain read is the `read` of bash; but not in zsh. */
function isPrompt({ pid, doing, program }: Member, shell: number): boolean {
  return pid === shell && (doing !== 'read' || program === 'zsh')
}

function said(state: Foreground['state'], certain: boolean, member: Member): Foreground {
  return { state, certain, ...naming(member) }
}

function naming({ pid, program }: Member): { pid: number; program: string } {
  return { pid, program }
}
