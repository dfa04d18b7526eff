import { ftruncateSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { InjectionKeys, Uninjected } from '../protocol/holder.ts'

export interface Injection {
  id: string
  /** For the model: an environment without pagers. */
  model: boolean
  /** Too long for a line editor: it is sourced from a file. */
  asFile: boolean
  command: Buffer
}

export interface InjectorOptions {
  /** Private; the shell's integration reads the command from here. */
  folder: string
  keys: InjectionKeys
  write: (bytes: Buffer) => void
  onUninjected: (uninjected: Uninjected) => void
}

export interface Injector {
  inject: (injection: Injection) => void
  onMark: (kind: string, fields: readonly string[]) => void
  /** From its loading to its execution: prompts drawn meanwhile are no news. */
  isEntering: () => boolean
  /** The run whose command is not yet accepted. */
  injecting: () => string | null
}

type Phase =
  | { at: 'idle' }
  | { at: 'loading'; id: string; timer: NodeJS.Timeout }
  // The line editor was in some mode of its own; it is asked for a new line, and then once more.
  | { at: 'clearing'; id: string; timer: NodeJS.Timeout }
  | { at: 'accepted'; restore: boolean; ran: boolean }

const end = Buffer.alloc(1)
/** A line editor answers within a millisecond; a machine that swaps may take this long. */
const ackMs = 2000
/** What a program left unread is typed at the prompt, and may be a key that begins a search. */
const firstAckMs = 1000
const interrupt = Buffer.from('\x03')

/**
 * Brings a command into the shell's line editor: its bytes by file, one key to load them, and only
 * after the shell acknowledged, one to accept. It happens here and not in the server so that a server
 * that dies half-way leaves no half-entered command, and because it saves a round trip.
 */
export function createInjector({ folder, keys, write, onUninjected }: InjectorOptions): Injector {
  const load = Buffer.from(keys.load)
  const accept = Buffer.from(keys.accept)
  const restore = Buffer.from(keys.restore)
  const commandFile = openSync(join(folder, 'command'), 'w', 0o600)
  const scriptFile = join(folder, 'script')
  let phase: Phase = { at: 'idle' }
  let writtenBytes = 0
  let late: string | null = null

  function giveUp(id: string): void {
    phase = { at: 'idle' }
    late = id
    onUninjected({ id, reason: 'the line editor did not answer' })
  }

  function clear(id: string): void {
    phase = { at: 'clearing', id, timer: setTimeout(giveUp, ackMs, id) }
    write(interrupt)
  }

  function loadAgain({ id, timer }: { id: string; timer: NodeJS.Timeout }): void {
    clearTimeout(timer)
    phase = { at: 'loading', id, timer: setTimeout(giveUp, ackMs, id) }
    write(load)
  }

  function inject({ id, model, asFile, command }: Injection): void {
    if (phase.at === 'loading' || phase.at === 'clearing') {
      return onUninjected({ id, reason: 'another command is being entered' })
    }
    if (asFile) writeFileSync(scriptFile, command, { mode: 0o600 })
    const line = asFile ? Buffer.from(`. ${scriptFile}`) : command
    const head = Buffer.from(`${id}\0${model ? 'model' : 'person'}\0`)
    const content = Buffer.concat([head, line, end])
    // What lies behind the end counts for nothing, but it would be read.
    if (content.length < writtenBytes) ftruncateSync(commandFile)
    writtenBytes = writeSync(commandFile, content, 0, content.length, 0)
    phase = { at: 'loading', id, timer: setTimeout(clear, firstAckMs, id) }
    write(load)
  }

  function onLoaded(id: string | undefined, mustRestore: boolean): void {
    if (phase.at === 'loading' && phase.id === id) {
      clearTimeout(phase.timer)
      phase = { at: 'accepted', restore: mustRestore, ran: false }
      write(accept)
    } else if (id === late) {
      // It was reported as not run, so it must not run now.
      late = null
      write(restore)
    }
  }

  function onMark(kind: string, fields: readonly string[]): void {
    if (kind === 'I') return onLoaded(fields[0], fields[1] !== '0')
    if (phase.at === 'clearing' && kind === 'B') loadAgain(phase)
    if (phase.at !== 'accepted') return
    // Loading redraws the prompt; only one after something ran, or was read, is the next prompt.
    if (kind === 'C' || kind === 'D') phase = { ...phase, ran: true }
    if (kind !== 'B' || !phase.ran) return
    if (phase.restore) write(restore)
    phase = { at: 'idle' }
  }

  const isEntering = () => phase.at !== 'idle' && !(phase.at === 'accepted' && phase.ran)
  const injecting = () => ('id' in phase ? phase.id : null)
  return { inject, onMark, isEntering, injecting }
}
