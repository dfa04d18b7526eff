/** The part of an emulator that is needed here; the server's and the pages' both have it. */
interface EmulatorScreen {
  readonly cols: number
  readonly rows: number
  readonly buffer: { readonly active: { readonly cursorX: number; readonly cursorY: number } }
}

export interface EmulatorCore {
  _inputHandler: { _utf8Decoder: ByteDecoder }
  /** Its private way to register handlers, which hands out the parameters themselves and no copy. */
  registerCsiHandler(
    id: { final: string; intermediates?: string; prefix?: string },
    handle: (params: { params: Int32Array }) => boolean,
  ): unknown
}

/** The decoder of its bytes; `interim` has those of a character that was cut. */
export interface ByteDecoder {
  interim: Uint8Array
  clear(): void
  decode(bytes: Uint8Array, characters: Uint32Array): number
}

/** Repeated characters are real output; this many fill any screen. */
const maxRepeats = 64 * 1024

/** Sequences that do something as often as their parameter says, one by one. */
const repeating = ['S', 'T', 'L', 'M', '@', 'P', 'X', 'I', 'Z']

/**
 * Makes sequences harmless that xterm.js 6 is not up to. `CSI 2147483647 S` keeps it busy for
 * minutes, and as a repetition asks for 8 GB: beyond the screen's size a larger count changes nothing.
 * Erasing up to the last cell of the screen throws: erasing all does the same.
 */
export function hardenEmulator(terminal: EmulatorScreen, core: EmulatorCore): void {
  joinCutCharacters(core._inputHandler._utf8Decoder)
  const limit = (final: string, max: () => number, intermediates?: string) =>
    core.registerCsiHandler(
      { final, ...(intermediates !== undefined && { intermediates }) },
      ({ params }) => {
        params[0] = Math.min(params[0] ?? 0, max())
        // Not handled: the terminal's own handler comes next.
        return false
      },
    )
  const size = () => Math.max(terminal.cols, terminal.rows)
  for (const final of repeating) limit(final, size)
  limit('b', () => maxRepeats)
  for (const final of ['@', 'A']) limit(final, size, ' ')
  for (const final of ['}', '~']) limit(final, size, "'")

  const eraseAll = ({ params }: { params: Int32Array }) => {
    const { cursorX, cursorY } = terminal.buffer.active
    const atEnd = cursorY === terminal.rows - 1 && cursorX >= terminal.cols - 1
    if (params[0] === 1 && atEnd) params[0] = 2
    return false
  }
  core.registerCsiHandler({ final: 'J' }, eraseAll)
  core.registerCsiHandler({ prefix: '?', final: 'J' }, eraseAll)
}

/**
 * Its decoder loses a character that arrives in two pieces if the first ends with the byte 80, as most
 * dashes and quotes do. Where pieces end is chance: pages would differ from each other.
 */
function joinCutCharacters(decoder: ByteDecoder): void {
  const decode = decoder.decode.bind(decoder)
  decoder.decode = (bytes, characters) => {
    const begun = decoder.interim.filter((byte) => byte !== 0)
    if (begun.length === 0 || bytes.length === 0) return decode(bytes, characters)
    decoder.clear()
    const whole = new Uint8Array(begun.length + bytes.length)
    whole.set(begun)
    whole.set(bytes, begun.length)
    return decode(whole, characters)
  }
}
