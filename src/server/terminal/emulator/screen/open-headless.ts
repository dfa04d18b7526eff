import { Unicode11Addon } from '@xterm/addon-unicode11'
import headless, {
  type ITerminalInitOnlyOptions,
  type ITerminalOptions,
  type Terminal,
} from '@xterm/headless'
import { hardenEmulator } from '../../../../base/harden-emulator.ts'
import { coreOf, type Core } from './internals.ts'

export interface Headless {
  terminal: Terminal
  /** Its private side. */
  core: Core
}

/**
 * A terminal of @xterm/headless as every part of ours uses it: kept from its own faults, and silent.
 *
 * It counts columns as pages do, and as libc and so shells and programs do: by code point, with the
 * table of Unicode 11. The emulator's own table is that of Unicode 6, where an emoji has one column.
 */
export function openHeadless(options: ITerminalOptions & ITerminalInitOnlyOptions): Headless {
  const terminal = new headless.Terminal({ ...options, allowProposedApi: true, logLevel: 'off' })
  const core = coreOf(terminal)
  hardenEmulator(terminal, core)
  terminal.loadAddon(new Unicode11Addon())
  terminal.unicode.activeVersion = '11'
  return { terminal, core }
}
