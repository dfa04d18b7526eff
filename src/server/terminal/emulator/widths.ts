import type { Terminal } from '@xterm/headless'
import { Unicode11Addon } from '@xterm/addon-unicode11'

/**
 * Counts columns as pages do, and as libc and so shells and programs do: by code point, with the
 * table of Unicode 11. The emulator's own is that of Unicode 6, where an emoji has one column.
 */
export function countWidths(terminal: Terminal): void {
  terminal.loadAddon(new Unicode11Addon())
  terminal.unicode.activeVersion = '11'
}
