import headless, {
  type IBufferCell,
  type Terminal,
  type ITerminalInitOnlyOptions,
  type ITerminalOptions,
} from '@xterm/headless'
import { type ByteDecoder, hardenEmulator } from '../../../../base/harden-emulator.ts'
import { Unicode11Addon } from '@xterm/addon-unicode11'

/**
 * The one place that knows private fields of @xterm/headless 6.0.0 (pinned): what a snapshot must
 * restore and the public interface does not tell. A test fails when one of them is gone.
 */
export interface Attributes {
  fg: number
  bg: number
  /** `_ext` and not `ext`: a link hides the underline below it. */
  extended: { _ext: number; underlineColor: number; urlId: number }
}

export type Charset = Readonly<Record<string, string>>

export interface BufferState {
  x: number
  y: number
  ybase: number
  scrollTop: number
  scrollBottom: number
  tabs: Readonly<Record<number, boolean | undefined>>
  savedX: number
  savedY: number
  savedCurAttrData: Attributes
  savedCharset: Charset | undefined
}

interface Parameters {
  params: Int32Array
}

export interface Core {
  _inputHandler: {
    parse(data: Uint8Array | string): unknown
    _parser: { currentState: number; precedingJoinState: number; reset(): void }
    _utf8Decoder: ByteDecoder
    _curAttrData: Attributes
  }
  _charsetService: {
    glevel: number
    charset: Charset | undefined
    _charsets: readonly (Charset | undefined)[]
  }
  _oscLinkService: { getLinkData(id: number): { id?: string; uri: string } | undefined }
  coreService: {
    isCursorHidden: boolean
    decPrivateModes: {
      cursorStyle: 'block' | 'underline' | 'bar' | undefined
      cursorBlink: boolean | undefined
    }
  }
  coreMouseService: { activeEncoding: string }
  buffers: { normal: BufferState; alt: BufferState }
  registerCsiHandler(
    id: { final: string; intermediates?: string; prefix?: string },
    handle: (params: Parameters) => boolean,
  ): unknown
}

const needed: Readonly<Record<string, string>> = {
  '_inputHandler.parse': 'function',
  '_inputHandler._parser.currentState': 'number',
  '_inputHandler._parser.precedingJoinState': 'number',
  '_inputHandler._parser.reset': 'function',
  '_inputHandler._utf8Decoder.interim': 'object',
  '_inputHandler._utf8Decoder.clear': 'function',
  '_inputHandler._utf8Decoder.decode': 'function',
  '_inputHandler._curAttrData.fg': 'number',
  '_inputHandler._curAttrData.bg': 'number',
  '_inputHandler._curAttrData.extended._ext': 'number',
  '_inputHandler._curAttrData.extended.underlineColor': 'number',
  '_inputHandler._curAttrData.extended.urlId': 'number',
  '_charsetService.glevel': 'number',
  '_charsetService._charsets': 'object',
  '_oscLinkService.getLinkData': 'function',
  'coreService.isCursorHidden': 'boolean',
  'coreService.decPrivateModes': 'object',
  'coreMouseService.activeEncoding': 'string',
  registerCsiHandler: 'function',
  ...ofBuffer('normal'),
  ...ofBuffer('alt'),
}

function ofBuffer(name: string): Record<string, string> {
  const numbers = ['x', 'y', 'ybase', 'scrollTop', 'scrollBottom', 'savedX', 'savedY']
  return {
    ...Object.fromEntries(numbers.map((field) => [`buffers.${name}.${field}`, 'number'])),
    [`buffers.${name}.tabs`]: 'object',
    [`buffers.${name}.savedCurAttrData.fg`]: 'number',
  }
}

/** The paths that are not there, or not of the kind we use them as. */
export function missing(core: unknown): readonly string[] {
  return Object.entries(needed).flatMap(([path, kind]) =>
    typeof at(core, path) === kind ? [] : [path],
  )
}

export function coreOf(terminal: Terminal): Core {
  const core = at(terminal, '_core')
  if (isCore(core)) return core
  throw new Error(
    `@xterm/headless is not the pinned 6.0.0: it lacks ${missing(core).join(', ')}. Adapt internals.ts.`,
  )
}

/** A cell to read into, whose attributes can be read too. */
export function readableCell(terminal: Terminal): IBufferCell & Attributes {
  const cell = terminal.buffer.active.getNullCell()
  if (hasAttributes(cell)) return cell
  throw new Error('@xterm/headless is not the pinned 6.0.0: cells show no attributes.')
}

function isCore(value: unknown): value is Core {
  return missing(value).length === 0
}

function hasAttributes(cell: IBufferCell): cell is IBufferCell & Attributes {
  return typeof at(cell, 'fg') === 'number' && typeof at(cell, 'extended._ext') === 'number'
}

function at(value: unknown, path: string): unknown {
  let found = value
  for (const key of path.split('.')) {
    if (typeof found !== 'object' || found === null) return undefined
    found = Reflect.get(found, key)
  }
  return found
}

/** The parser's states, by what is under way. */
export function isBetweenSequences(core: Core): boolean {
  return core._inputHandler._parser.currentState === 0
}

/** Control characters take effect at once in ESC and CSI, but not in OSC, DCS and the like. */
export function isInString(core: Core): boolean {
  return core._inputHandler._parser.currentState >= 7
}

/** Bytes of a character whose rest has not come yet. */
export function partialCharacter(core: Core): number {
  const bytes = core._inputHandler._utf8Decoder.interim
  const end = bytes.indexOf(0)
  return end < 0 ? bytes.length : end
}

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
