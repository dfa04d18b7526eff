import { expect, test } from 'vitest'
import type { Ask } from '../fold/entry.ts'
import { askAnswer, gradeWords, shownGrade, typedAnswer, typedQuestion } from './ask.ts'
import { type Asked, widerYes } from './wider-yes.ts'

type Question = Asked & Pick<Ask, 'kind'>

const offer = { words: '`npm install` with any packages, in this folder' }
const plain: Question = { kind: 'approval', grade: 'changes', rest: [] }
const offered: Question = { ...plain, grade: 'leaves', offer, rest: ['npm test', 'git push'] }
const settings = [
  { of: 'option', name: 'globstar', isOn: true, words: 'the option globstar is on now' },
] as const
const settled: Asked = { rest: [], settings: [...settings] }
const grave: Question = { ...plain, grade: 'destroys', offer, rest: ['npm test'] }

test('[VIEW7] a command without a grade has words of its own, and what is no command has none', () => {
  const asked = { kind: 'approval' } as const
  expect(shownGrade({ ...asked, grade: 'destroys' })).toBe('destroys')
  expect(gradeWords[shownGrade(asked) ?? 'reads']).toBe('Nobody can say what it does')
  expect(shownGrade(asked, { isRead: true })).toBeNull()
  expect(shownGrade({ kind: 'terminal_input' })).toBeNull()
})

test('[VIEW7] a wider yes is offered with what it covers; for what is hard to undo there is none', () => {
  expect(widerYes(plain)).toEqual([])
  expect(widerYes(grave)).toEqual([])
  expect(widerYes(offered).map(({ scope, covers }) => [scope, covers])).toEqual([
    ['reply', ['npm test', 'git push']],
    ['session', [offer.words]],
    ['folder', [offer.words]],
  ])
  expect(widerYes(settled)).toMatchObject([
    { scope: 'shell', covers: ['the option globstar is on now'] },
  ])
  expect(widerYes({ ...offered, rest: [] }).map(({ scope }) => scope)).toEqual([
    'session',
    'folder',
  ])
})

test('[VIEW7] an answered question says for how much it was allowed, and by whom', () => {
  const scopes = [null, 'reply', 'session', 'folder', 'shell'] as const
  const words = (scope: (typeof scopes)[number]) => {
    const state = { phase: 'answered', outcome: 'allow', by: { kind: 'user' }, word: null } as const
    const ask: Ask = {
      seq: 1,
      id: 'ask-1',
      kind: 'approval',
      call: 1,
      command: 'x',
      effective: 'x',
      reasons: [],
      grade: 'changes',
      offer: undefined,
      rest: [],
      cwd: null,
      state: { ...state, scope },
    }
    return askAnswer(ask, 'web')
  }
  expect(scopes.map(words)).toEqual([
    'Allowed by you',
    'Allowed with the rest of the reply by you',
    'Allowed for the rest of the session by you',
    'Always allowed in this folder by you',
    'Allowed with the shell’s settings by you',
  ])
})

test.each([
  ['y', plain, { outcome: 'allow' }],
  [' YES ', plain, { outcome: 'allow' }],
  ['run', plain, { outcome: 'allow' }],
  ['', plain, { outcome: 'deny' }],
  ['no', plain, { outcome: 'deny' }],
  ['not that one', plain, { outcome: 'deny', word: 'not that one' }],
  ['s', offered, { outcome: 'allow', scope: 'session' }],
  ['F', offered, { outcome: 'allow', scope: 'folder' }],
  ['e', { ...plain, isEditable: true }, { outcome: 'edit' }],
  ['EDIT', { ...plain, isEditable: true }, { outcome: 'edit' }],
  ['e', plain, null],
  ['k', settled, { outcome: 'allow', scope: 'shell' }],
  ['keep', settled, { outcome: 'allow', scope: 'shell' }],
  ['k', offered, null],
  ['rest', offered, { outcome: 'allow', scope: 'reply' }],
  // A letter that is not on offer is neither a yes nor a word for the model.
  ['s', plain, null],
  ['r', grave, null],
  ['y', grave, null],
  ['yes', grave, null],
  ['', grave, { outcome: 'deny' }],
  ['run', grave, { outcome: 'allow' }],
] as const)('[CLI57] %j to a question of %o means %o', (said, asked, answer) => {
  expect(typedAnswer(said, asked)).toEqual(answer)
})

test('[CLI57] the question names what may be typed, and asks for a word where it is hard to undo', () => {
  expect(typedQuestion(plain)).toBe('Run it? [y]es, [n]o, or what the model should do instead: ')
  expect(typedQuestion(plain, { isRead: true })).toMatch(/^Read it\?/)
  expect(typedQuestion({ ...plain, kind: 'terminal_input' })).toMatch(/^Type it\?/)
  expect(typedQuestion(offered)).toContain('[y]es, [r]est, [s]ession, [f]older, [n]o')
  expect(typedQuestion({ ...plain, isEditable: true })).toContain('[y]es, [e]dit, [n]o, or')
  expect(typedQuestion(grave)).toContain('It is hard to undo: type run, [n]o')
})
