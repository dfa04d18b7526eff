import headless from '@xterm/headless'
import { expect, test } from 'vitest'
import { coreOf, missing, readableCell } from './internals.ts'

test('[EMU1] the private fields a snapshot needs are all there in the installed @xterm/headless', () => {
  const terminal = new headless.Terminal({ allowProposedApi: true })
  expect(missing((terminal as unknown as { _core: unknown })._core)).toEqual([])
  expect(() => readableCell(terminal)).not.toThrow()
  const core = coreOf(terminal)
  core._inputHandler.parse('\x1b[1;3Hx\x1b[5;9r\x1b[?25l\x1b[?1006h\x1b[4 q\x1b[31m\x1b]0;cut')
  expect({
    state: core._inputHandler._parser.currentState,
    region: [core.buffers.normal.scrollTop, core.buffers.normal.scrollBottom],
    hidden: core.coreService.isCursorHidden,
    style: core.coreService.decPrivateModes.cursorStyle,
    encoding: core.coreMouseService.activeEncoding,
    fg: core._inputHandler._curAttrData.fg,
  }).toEqual({
    state: 8,
    region: [4, 8],
    hidden: true,
    style: 'underline',
    encoding: 'SGR',
    fg: 0x1000001,
  })
})

test('[EMU1] a terminal without them is refused by name, not misread', () => {
  expect(missing({})).toContain('_inputHandler._parser.currentState')
  expect(() => coreOf({ _core: {} } as never)).toThrow(/6\.0\.0.*_curAttrData/)
})
