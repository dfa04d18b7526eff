import { FitAddon } from '@xterm/addon-fit'
import { SearchAddon } from '@xterm/addon-search'
import { Unicode11Addon } from '@xterm/addon-unicode11'
import { WebLinksAddon } from '@xterm/addon-web-links'
import { WebglAddon } from '@xterm/addon-webgl'
import { Terminal, type ILinkHandler } from '@xterm/xterm'
import '@xterm/xterm/css/xterm.css'
import { hardenEmulator, type EmulatorCore } from '../../../base/harden-emulator.ts'
import { palettes, type ThemeName } from './colours.ts'

export interface XtermOptions {
  place: HTMLElement
  theme: ThemeName
  /** For screen readers: the text is in the document, not only in the picture. */
  isSpoken: boolean
  onLinkHover: (address: string | null) => void
}

export interface Xterm {
  terminal: Terminal
  search: SearchAddon
  /** The size that fits into its place now. */
  room(): { rows: number; cols: number } | null
}

/** As much as a person scrolls back; the rest is in the chat and in the recording. */
const scrollbackLines = 5_000

/** Below this a colour that a program chose cannot be read on the ground it chose for it. */
const leastContrast = 4.5

export function openXterm({ place, theme, isSpoken, onLinkHover }: XtermOptions): Xterm {
  const terminal = new Terminal({
    allowProposedApi: true,
    fontFamily: 'ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", Menlo, monospace',
    fontSize: 12.5,
    lineHeight: 1.2,
    scrollback: scrollbackLines,
    minimumContrastRatio: leastContrast,
    macOptionIsMeta: true,
    theme: palettes[theme],
    screenReaderMode: isSpoken,
    linkHandler: linkHandler(onLinkHover),
    logLevel: 'off',
  })
  hardenEmulator(terminal, coreOf(terminal))
  const fit = new FitAddon()
  const search = new SearchAddon()
  terminal.loadAddon(fit)
  terminal.loadAddon(search)
  terminal.loadAddon(new Unicode11Addon())
  terminal.unicode.activeVersion = '11'
  terminal.loadAddon(
    new WebLinksAddon(followLink, {
      hover: (_, uri) => onLinkHover(uri),
      leave: () => onLinkHover(null),
    }),
  )
  terminal.open(place)
  drawFast(terminal)
  return {
    terminal,
    search,
    room() {
      const room = fit.proposeDimensions()
      return room && room.rows > 0 && room.cols > 0 ? room : null
    },
  }
}

/**
 * On the graphics card where there is one; the browser may take it away again at any time. Not on
 * phones: some tell wrong in which pixels they draw, and then nothing would be seen.
 */
function drawFast(terminal: Terminal): void {
  if (matchMedia('(pointer: coarse)').matches) return
  const fast = new WebglAddon()
  try {
    fast.onContextLoss(() => fast.dispose())
    terminal.loadAddon(fast)
  } catch {
    fast.dispose()
  }
}

/** The address to open, or null: output may name any scheme, and only these two lead to pages. */
export function pageAddress(uri: string): string | null {
  const url = URL.canParse(uri) ? new URL(uri) : null
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url.href : null
}

/** A click that was meant: a plain one belongs to selecting and to the program. */
function followLink(event: MouseEvent, uri: string): void {
  const address = pageAddress(uri)
  if (address !== null && (event.ctrlKey || event.metaKey))
    window.open(address, '_blank', 'noopener,noreferrer')
}

function linkHandler(onHover: (address: string | null) => void): ILinkHandler {
  return {
    activate: followLink,
    hover: (_, uri) => onHover(pageAddress(uri)),
    leave: () => onHover(null),
    allowNonHttpProtocols: false,
  }
}

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
