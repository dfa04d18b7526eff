import type { Terminal } from '@xterm/xterm'
import type { EmulatorCore } from '../../../base/harden-emulator.ts'

/** The private parts of xterm.js 6 that a page needs. A browser test fails when one is gone. */
interface Core extends EmulatorCore {
  coreService: { onUserInput(listener: () => void): unknown }
}

export function coreOf(terminal: Terminal): Core {
  const core: unknown = Reflect.get(terminal, '_core')
  if (isCore(core)) return core
  throw new Error('xterm.js is not version 6: adapt xterm-core.ts')
}

function isCore(core: unknown): core is Core {
  if (typeof core !== 'object' || core === null) return false
  const input: unknown = Reflect.get(core, 'coreService')
  return (
    typeof Reflect.get(core, 'registerCsiHandler') === 'function' &&
    hasDecoder(Reflect.get(core, '_inputHandler')) &&
    typeof input === 'object' &&
    input !== null &&
    typeof Reflect.get(input, 'onUserInput') === 'function'
  )
}

function hasDecoder(handler: unknown): boolean {
  if (typeof handler !== 'object' || handler === null) return false
  const decoder: unknown = Reflect.get(handler, '_utf8Decoder')
  return (
    typeof decoder === 'object' &&
    decoder !== null &&
    Reflect.get(decoder, 'interim') instanceof Uint8Array &&
    typeof Reflect.get(decoder, 'clear') === 'function' &&
    typeof Reflect.get(decoder, 'decode') === 'function'
  )
}
