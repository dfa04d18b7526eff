import type { HolderExit, HolderStart } from '../protocol/holder/holder.ts'
import type { Adopter } from './adopt/adopter.ts'
import type { Injector } from './inject/injector.ts'
import { startInjection } from './inject/state.ts'

/** One shell inside another, the session's own at the bottom. */
export interface Level {
  nonce: string
  injector: Injector
  /** It writes the window's title before a command's output. */
  titles: boolean
  /** The process that it ends with, as far as this machine can tell. */
  leader: { pid: number; startTime: string } | null
}

/**
 * The state that the parts of a holder share. Each field has one writer; the others read it instead of asking around.
 * A part with nothing under way is null here, and so is not called.
 */
export interface Current {
  /** Written by `hold`. */
  exit: HolderExit | null
  /** Written by `requests`. */
  size: HolderStart['size']
  /** Written by `levels`: every shell, and the innermost one's injector, which commands and keys are for. */
  levels: readonly Level[]
  injector: Injector
  /** Written by `levels` while there is a shell inside another. */
  nested: { spoke: (level: number) => void } | null
  /** Written by `adopter` while it adopts: text, marks and keys go there first. */
  adopter: Pick<Adopter, 'takesText' | 'takesMark' | 'takesKeys'> | null
  /** Written by `keys` while some wait for the shell. */
  waitingKeys: { follow: () => void } | null
  /** Written by `pull` while it waits for an answer, by the mark that is one. */
  pulls: { N?: Pulling; S?: Pulling }
  /** Written by `state-pull` while the shell's first state is not known. */
  firstState: { onPrompt: () => void } | null
  /** Written by `stream`: the pid in the own shell's last prompt, null once something ran. */
  promptPid: number | null
  /** Written by `requests`, and taken back by `stream`: the keys that somebody typed since something ran. */
  typed: Typed
}

/** `text` stands in the line as it is; after other keys a line editor may be in any mode. */
export type Typed = 'nothing' | 'text' | 'keys'

interface Pulling {
  onAnswer: () => void
}

export function startCurrent({ size }: Pick<HolderStart, 'size'>): Current {
  const nobody = { pid: 0, alwaysBrackets: false, takesFiles: false, patience: 1 }
  return {
    exit: null,
    size,
    levels: [],
    injector: { state: startInjection(nobody), hear() {} },
    nested: null,
    adopter: null,
    waitingKeys: null,
    pulls: {},
    firstState: null,
    promptPid: null,
    typed: 'nothing',
  }
}
