import {
  closeSync,
  existsSync,
  ftruncateSync,
  openSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import type { InjectionKeys } from '../../protocol/holder/holder.ts'
import { remakePrivateFolder } from '../process/home.ts'
import type { Reads } from '../process/reads-terminal.ts'
import { hear } from './hear.ts'
import { pasteKeys } from './paste.ts'
import { wakesAt } from './select.ts'
import {
  type Effect,
  type Heard,
  type InjectionState,
  type Load,
  startInjection,
  type Told,
} from './state.ts'

/** One shell's injections: the fold's state, and its one edge. */
export interface Injector {
  readonly state: InjectionState
  hear: (heard: Heard) => void
}

export interface InjectorOptions {
  delivery: Delivery
  keys: InjectionKeys
  alwaysBrackets: boolean
  shellPid: number
  /** Whether the shell waits for keys now. */
  reads: () => Reads
  write: (bytes: Buffer) => void
  tell: (told: Told) => void
}

/** Does what follows from the fold's state, with one timer. */
export function createInjector(options: InjectorOptions): Injector {
  const { delivery, keys, alwaysBrackets, shellPid: pid, reads, write, tell } = options
  const { patience, source } = delivery
  const pressed = {
    accept: Buffer.from(keys.accept),
    restore: Buffer.from(keys.restore),
    fresh: Buffer.from(keys.fresh),
    interrupt: Buffer.from('\x03'),
  }
  const takesFiles = source !== null
  const injector = {
    state: startInjection({ pid, alwaysBrackets, takesFiles, patience }),
    hear: take,
  }
  let timer: NodeJS.Timeout | undefined
  let armedFor = Number.POSITIVE_INFINITY

  function take(heard: Heard): void {
    const { state, effects } = hear(injector.state, heard)
    injector.state = state
    for (const effect of effects) perform(effect)
    arm(wakesAt(injector.state))
  }

  /** A timer is only ever moved to an earlier time: most commands are over before the one of an earlier command comes. */
  function arm(at: number): void {
    if (at >= armedFor) return
    clearTimeout(timer)
    armedFor = at
    timer = setTimeout(wake, Math.ceil(at - performance.now()))
  }

  function wake(): void {
    armedFor = Number.POSITIVE_INFINITY
    const now = performance.now()
    if (now >= wakesAt(injector.state)) take({ type: 'time', now })
    else arm(wakesAt(injector.state))
  }

  function perform(effect: Effect): void {
    switch (effect.type) {
      case 'load':
        return write(delivery.load(effect.load))
      case 'press':
        return write(pressed[effect.key])
      case 'paste': {
        const { command, isSourced, isBracketed } = effect
        const line = isSourced && source !== null ? source(command) : command
        return write(pasteKeys(line, isBracketed))
      }
      case 'look':
        return take({ type: 'looked', reads: reads(), now: performance.now() })
      case 'scrub':
        return delivery.scrub()
      case 'forget':
        return delivery.forget()
      case 'tell':
        return tell(effect.told)
      default:
        return effect satisfies never
    }
  }

  return injector
}

/** How a command's bytes get to the shell. */
export interface Delivery {
  /** The keys that make the shell take the command into its line. */
  load: (load: Load) => Buffer
  /** A line that runs a command that cannot stand in one; null where there is no way. */
  source: ((command: Buffer) => Buffer) | null
  scrub: () => void
  forget: () => void
  patience: number
}

/** By a private file: for the shell that we started ourselves. */
export function deliverByFile(folder: string, key: string): Delivery {
  const loadKey = Buffer.from(key)
  const commandPath = join(folder, 'command')
  let commandFile = openSync(commandPath, 'w', 0o600)
  const scriptFile = join(folder, 'script')
  let writtenBytes = 0

  /** Else the shell would find no command, and be typed to. */
  function reopen(): void {
    if (!remakePrivateFolder(folder)) return
    closeSync(commandFile)
    commandFile = openSync(commandPath, 'w', 0o600)
    writtenBytes = 0
  }

  function source(command: Buffer): Buffer {
    if (!existsSync(folder)) remakePrivateFolder(folder)
    writeFileSync(scriptFile, command, { mode: 0o600 })
    return Buffer.from(`. ${scriptFile}`)
  }

  return {
    patience: 1,
    load({ id, who, command, asFile, attempt }) {
      if (!existsSync(commandPath)) reopen()
      const content = Buffer.concat([
        Buffer.from(`${id}\0${who}\0`),
        asFile ? source(command) : command,
        Buffer.from(`\0${attempt}\0`),
      ])
      // Bytes behind the end count for nothing, but they would be read.
      if (content.length < writtenBytes) ftruncateSync(commandFile)
      writtenBytes = writeSync(commandFile, content, 0, content.length, 0)
      return loadKey
    },
    source,
    scrub() {
      ftruncateSync(commandFile)
      writtenBytes = 0
    },
    forget: () => rmSync(scriptFile, { force: true }),
  }
}

/**
 * Behind the key itself: for a shell that may be on another machine, or another user's. Only letters that no
 * terminal acts on are sent, so that a shell that does not know the key has at worst a strange line.
 */
export function deliverByKeys(key: string): Delivery {
  return {
    // As far as the other end of the world, and a shell that swaps there.
    patience: 4,
    load({ id, who, command, attempt }) {
      const body = `${id},${who},${spellOut(command)},${attempt};`
      return Buffer.from(`${key}${String(body.length).padStart(lengthChars)}${body}`)
    },
    source: null,
    scrub() {},
    forget() {},
  }
}

const lengthChars = 8

/** A byte that is not a plain letter as `\0` and three octal digits, which every shell's `printf %b` reads. */
function spellOut(line: Buffer): string {
  let text = ''
  for (const byte of line) {
    const isPlain = byte >= 0x20 && byte < 0x7f && byte !== 0x5c && byte !== 0x3b && byte !== 0x2c
    text += isPlain ? String.fromCharCode(byte) : `\\0${byte.toString(8).padStart(3, '0')}`
  }
  return text
}
