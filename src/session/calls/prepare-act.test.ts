import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { inputText } from './prepare-act.ts'

test('[WAIT1] named keys are what a terminal sends, and one that does not exist is named', () => {
  expect(inputText({ type: 'keys', names: ['Ctrl+C', 'Up', 'Enter'] })).toEqual({
    ok: true,
    value: '\x03\x1b[A\r',
  })
  expect(inputText({ type: 'keys', names: ['Up', 'Hyper+Q'] })).toMatchObject({
    ok: false,
    error: expect.stringMatching(/^there is no key Hyper\+Q; there are Enter, /),
  })
})

test('[WAIT1] text is typed as it is, with Enter, or refused as a whole', () =>
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const typed = inputText({ type: 'text', text })
      const hasControls = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/.test(text)
      expect(typed).toEqual(
        hasControls
          ? { ok: false, error: 'it has control characters; name the keys instead' }
          : { ok: true, value: `${text.replaceAll('\r\n', '\n').replaceAll('\n', '\r')}\r` },
      )
    }),
  ))
