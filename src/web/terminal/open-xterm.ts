import { FitAddon } from '@xterm/addon-fit'
import { SearchAddon } from '@xterm/addon-search'
import { Unicode11Addon } from '@xterm/addon-unicode11'
import { WebLinksAddon } from '@xterm/addon-web-links'
import { WebglAddon } from '@xterm/addon-webgl'
import { Terminal } from '@xterm/xterm'
import '@xterm/xterm/css/xterm.css'
import { tame } from '../../protocol/taming.ts'
import { followLink, linkHandler } from './links.ts'
import { palettes, type ThemeName } from './palette.ts'
import { coreOf } from './xterm-core.ts'

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
  /** What fits into its place now. */
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
  tame(terminal, coreOf(terminal))
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
