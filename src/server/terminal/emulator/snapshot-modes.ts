import type { Terminal } from '@xterm/headless'
import type { Core } from './internals.ts'

const mouseModes = { none: '', x10: '9', vt200: '1000', drag: '1002', any: '1003' } as const
const encodings: Readonly<Record<string, string>> = { SGR: '1006', SGR_PIXELS: '1016' }
const cursorStyles = { block: 1, underline: 3, bar: 5 } as const

/**
 * Modes that move nothing; origin and insert mode have their own places. What a reset (RIS) does not
 * reset everywhere is said either way.
 */
export function modeSequences(terminal: Terminal, core: Core): string {
  const { modes, options } = terminal
  const mouse = mouseModes[modes.mouseTrackingMode]
  const encoding = encodings[core.coreMouseService.activeEncoding] ?? ''
  const on = [
    modes.applicationCursorKeysMode ? '1' : '',
    modes.applicationKeypadMode ? '66' : '',
    modes.bracketedPasteMode ? '2004' : '',
    modes.reverseWraparoundMode ? '45' : '',
    modes.sendFocusMode ? '1004' : '',
    mouse,
    encoding,
  ]
  return [
    ...on.filter((mode) => mode !== '').map((mode) => `\x1b[?${mode}h`),
    modes.wraparoundMode ? '' : '\x1b[?7l',
    options.convertEol === true ? '\x1b[20h' : '',
    cursorSequences(terminal, core),
  ].join('')
}

function cursorSequences({ options }: Terminal, { coreService }: Core): string {
  const { cursorStyle, cursorBlink } = coreService.decPrivateModes
  const style =
    cursorStyle === undefined ? 0 : cursorStyles[cursorStyle] + (cursorBlink === true ? 0 : 1)
  const blink = `\x1b[?12${options.cursorBlink === true ? 'h' : 'l'}`
  return `${blink}\x1b[?25${coreService.isCursorHidden ? 'l' : 'h'}\x1b[${style} q`
}
