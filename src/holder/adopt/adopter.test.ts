import { expect, test } from 'vitest'
import type { AdoptRequest, Adopted } from '../../protocol/holder/holder.ts'
import { startCurrent } from '../current.ts'
import { createAdopter } from './adopter.ts'
import { type InjectionState, startInjection } from '../inject/state.ts'
import type { Reads } from '../process/reads-terminal.ts'
import { createNonces, createMarkScanner } from '../output/scan-marks.ts'

const keys = { load: 'L', accept: 'A', restore: 'R', fresh: 'F', names: 'N' }
const shell = { since: '4.4', reads: 'reads @TOKEN@ @BYTES@', script: 'script @NONCE@', keys }
const request: AdoptRequest = {
  level: 1,
  group: 7,
  isCarried: false,
  asks: 'asks @TOKEN@',
  shells: { bash: shell, zsh: shell, fish: shell },
}

/** An adopter whose shell is played by the test. */
function open(state?: InjectionState, reads: Reads = true) {
  const [written, shown, answers, entered]: [string[], string[], Adopted[], number[]] = [
    [],
    [],
    [],
    [],
  ]
  const nonces = createNonces('0'.repeat(24))
  const current = startCurrent({ size: { rows: 24, cols: 80 } })
  if (state !== undefined) current.injector = { state, hear() {} }
  const own = { nonce: '', injector: current.injector, titles: false, leader: null }
  current.levels = [own]
  const adopter = createAdopter({
    current,
    levels: {
      enter(level) {
        entered.push(level)
        current.levels = [...current.levels, own]
      },
    },
    nonces,
    reads: () => reads,
    write: (bytes) => void written.push(String(bytes)),
    show(bytes) {
      if (!adopter.takesText(bytes)) shown.push(String(bytes))
    },
    answer: (adopted) => void answers.push(adopted),
  })
  const scanner = createMarkScanner(nonces, {
    text(bytes) {
      if (!adopter.takesText(bytes)) shown.push(String(bytes))
    },
    mark: (kind, fields, owner) => void adopter.takesMark(kind, fields, owner),
  })
  const say = (said: string) => scanner.feed(Buffer.from(said))
  const mark = (secret: string, body: string) => say(`\x1b]7133;${secret};${body}\x07`)
  const secretIn = (text: string) => /[0-9a-f]{24}/.exec(text)?.[0] ?? ''
  return { adopter, current, written, shown, answers, entered, say, mark, secretIn }
}

/** Up to the script's being sent. */
function installing() {
  const opened = open()
  const { adopter, written, mark, secretIn } = opened
  adopter.adopt(request)
  mark(secretIn(written[0] ?? ''), 'W;5.2;;')
  mark(secretIn(written[1] ?? ''), 'R')
  return opened
}

test('[INJ8] a request that cannot be read is answered too', () => {
  const { adopter, answers } = open()
  adopter.adopt(null)
  expect(answers).toEqual([{ ok: false, reason: 'the request cannot be read' }])
})

test('[ADOPT4] keys typed and bytes printed during an adoption come after it, and not at all', () => {
  const { adopter, written, shown, answers, entered, say, mark, secretIn } = installing()
  expect(adopter.takesKeys(Buffer.from('ls'))).toBe(true)
  say('the echo of it all')
  mark(secretIn(written[2] ?? ''), 'H;bash;5.2;42;1;me@here')
  expect({ entered, answers }).toEqual({ entered: [1], answers: [{ ok: true, level: 1 }] })
  expect(shown).toEqual(['\r\x1b[K'])
  expect(written[3]).toBe('ls')
  expect(adopter.takesKeys(Buffer.from('ls'))).toBe(false)
})

test('[ADOPT4] the nonce is told to the shell alone: no line that is typed has it', () => {
  const { written, mark, secretIn } = installing()
  const nonce = secretIn(written[2] ?? '')
  expect(written.slice(0, 2).join('')).not.toContain(nonce)
  const token = secretIn(written[0] ?? '')
  mark(token, 'H;bash;5.2;42;1;me@here')
  expect(nonce).not.toBe(token)
})

test('[ADOPT4] one that fails shows what was printed, unless that may have the nonce, and types nothing more', () => {
  const asking = open()
  asking.adopter.adopt(request)
  asking.say('>>> SyntaxError')
  asking.adopter.close()
  expect(asking.shown).toEqual(['>>> SyntaxError'])
  expect(asking.answers).toMatchObject([{ ok: false }])

  const told = installing()
  told.say('script with the nonce')
  told.adopter.close()
  expect(told.shown).toEqual([])
  // A shell that speaks later after all is not listened to, and is not shown.
  told.mark(told.secretIn(told.written[2] ?? ''), 'H;bash;5.2;42;1;me@here')
  expect({ shown: told.shown, entered: told.entered }).toEqual({ shown: [], entered: [] })
  expect(told.written).toHaveLength(3)
})

test.each([
  ['W;3.2.57;;', 'bash 3.2.57, and 4.4 or newer is needed'],
  ['W;;;', 'neither bash, zsh nor fish'],
])('[ADOPT6] a shell that says "%s" is not adopted', (said, reason) => {
  const { adopter, written, answers, mark, secretIn } = open()
  adopter.adopt(request)
  mark(secretIn(written[0] ?? ''), said)
  expect(answers).toEqual([{ ok: false, reason: expect.stringContaining(reason) }])
  expect(written).toHaveLength(1)
})

test('[ADOPT6] keys that are too many to be kept end an adoption, and reach the shell in their order', () => {
  const { adopter, written, answers } = installing()
  const before = written.length
  const piece = 'x'.repeat(16 * 1024)
  const taken = Array.from({ length: 6 }, (_, n) => {
    const bytes = Buffer.from(`${n}${piece}`)
    const isKept = adopter.takesKeys(bytes)
    // The holder passes on what is not kept.
    if (!isKept) written.push(String(bytes))
    return isKept
  })
  expect(taken).toEqual([true, true, true, false, false, false])
  expect(answers.at(-1)).toEqual({ ok: false, reason: 'too much was typed meanwhile' })
  const typed = written.slice(before).filter((text) => text.endsWith(piece))
  expect(typed.map((text) => text[0])).toEqual(['0', '1', '2', '3', '4', '5'])
})

const idle = startInjection({ pid: 7, alwaysBrackets: false, takesFiles: true, patience: 1 })
const check = { at: 0, hasRead: false }
const handed = { at: 'accepted', check, restore: false, stage: 'handed', pasted: null } as const

test.each<[string, Partial<InjectionState>, number, Reads]>([
  ['is loaded', { phase: { at: 'loading', id: 'one', check, next: 'load' } }, 0, true],
  ['is loaded around it', { phase: { at: 'loading', id: 'one', check, next: 'load' } }, 1, true],
  ['was accepted', { phase: handed, known: { ...idle.known, saysStart: true } }, 0, true],
  ['runs', { phase: { ...handed, stage: 'runs' } }, 0, false],
])(
  '[ADOPT6] while a command %s, nothing is adopted and no key is typed',
  (_, state, level, reads) => {
    const { adopter, written, answers } = open({ ...idle, ...state }, reads)
    adopter.adopt({ ...request, level })
    expect(written).toEqual([])
    expect(answers).toMatchObject([{ ok: false }])
  },
)

test('[ADOPT6] a shell that took the place of one that never said what it executes is adopted', () => {
  const { adopter, written } = open({ ...idle, phase: handed })
  adopter.adopt({ ...request, level: 0 })
  expect(written).toHaveLength(1)
})

test('[ADOPT6] a shell that is back at its own prompt, as its marks say, is not taken for another', () => {
  const { adopter, current, answers } = open({ ...idle, known: { ...idle.known, saysStart: true } })
  current.promptPid = 7
  adopter.adopt({ ...request, level: 0 })
  current.promptPid = null
  adopter.adopt({ ...request, level: 0 })
  expect(answers).toEqual([{ ok: false, reason: 'it is the one that takes commands' }])
})
