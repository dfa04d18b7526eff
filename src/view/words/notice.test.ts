import { expect, test } from 'vitest'
import { entryText } from '../../cli/text/entry-text.ts'
import type { Notice } from '../fold/entry.ts'
import { noticeWords } from './notice.ts'

const notices: readonly Notice[] = [
  { type: 'shell_started', shell: 'bash', generation: 1, cwd: '/w', integration: 'basic' },
  { type: 'shell_started', shell: 'zsh', generation: 2, cwd: '/w', integration: 'full' },
  { type: 'shell_taken', shell: 'bash', cwd: '/w', from: 's1' },
  { type: 'shell_ended', reason: 'exited', exitCode: 3, movedTo: null },
  { type: 'shell_ended', reason: 'moved', exitCode: null, movedTo: 's2' },
  { type: 'shell_adopted', shell: 'bash', place: 'ssh box', cwd: '/root', command: 'ssh box' },
  { type: 'shell_left', command: 'ssh box', cwd: '/w' },
  { type: 'model', model: 'demo/offline' },
  { type: 'approval', mode: 'ask-all' },
  { type: 'private', on: true },
  { type: 'continued', session: 's3' },
  { type: 'turn_ended', reason: 'step_limit', steps: 10 },
  {
    type: 'fault',
    code: 'model_config',
    message: 'There is none. Take one with: /model openai/gpt-4.1',
    fatal: false,
    retryAfterMs: null,
  },
  { type: 'fault', code: 'x', message: 'It broke.', fatal: false, retryAfterMs: null },
]

/** A notice as the page draws it. */
function drawn(notice: Notice): string {
  const parts = noticeWords(notice)
  return parts
    .map((said) => (typeof said === 'string' ? said : 'code' in said ? said.code : said.text))
    .join('')
}

test('[VIEW22] a notice has the same words on the page and at a terminal', () => {
  for (const notice of notices) {
    const text = entryText({ kind: 'notice', seq: 1, at: 0, by: { kind: 'system' }, notice })
    expect(text.slice(2).replaceAll(/ \(s\d\)/g, '')).toBe(drawn(notice))
  }
  expect(notices.map(drawn)).toEqual([
    'A shell: bash in /w (integration: basic)',
    'A new shell: zsh in /w — variables, functions and jobs of the old one are gone',
    'The terminal came along: bash in /w',
    'The shell ended with 3 (exited).',
    'The terminal moved to another session',
    'Commands run in bash of ssh box now, in /root — until it ends',
    'The adopted shell has ended. Commands run in /w again.',
    'Talking to demo/offline',
    'Approval is now: Ask always (ask-all). Every command of the model waits for your yes.',
    'Private from here on: the model sees nothing of what is run.',
    'Continued in a new session',
    'The turn reached its limit of steps. Say “go on” to continue.',
    'There is none. Take one with: /model openai/gpt-4.1',
    'It broke.',
  ])
})

test('[VIEW22] a model that is there instead of a missing one is offered', () => {
  const message = 'There is none. Take one with: /model openai/gpt-4.1'
  const fault = { type: 'fault', message, fatal: false, retryAfterMs: null } as const
  expect(noticeWords({ ...fault, code: 'model_config' })).toEqual([
    'There is none. Take one with: ',
    { offer: '/model openai/gpt-4.1', text: '/model openai/gpt-4.1' },
  ])
  expect(noticeWords({ ...fault, code: 'model_failed' })).toEqual([message])
})
