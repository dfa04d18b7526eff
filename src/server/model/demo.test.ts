import { expect, test } from 'vitest'
import { shellTags } from '../../session/calls/asked.ts'
import { demoReply, type Said, withOffered } from './demo.ts'

const prompt = (text: string): Said => ({ kind: 'prompt', text })
const reply = (text: string): Said => ({ kind: 'reply', text })
const record = (text: string): Said => ({ kind: 'record', text })

test('[DEMO1] the demo says what it is, and that it is no language model', () => {
  expect(demoReply([prompt('hello')])).toMatch(/built-in demo, not a language model/)
})

test('[DEMO1] it lists files, and shows what came of it', () => {
  const first = demoReply([prompt('list the files')])
  expect(shellTags(first)).toMatchObject([{ command: 'ls' }])
  const second = demoReply([prompt('list the files'), reply(first), record('$ ls\na\n[exit 0]')])
  expect(second).toContain('$ ls\na\n[exit 0]')
  expect(shellTags(second)).toEqual([])
})

test('[DEMO1] it quotes the last failure of the session', () => {
  const parts = [
    record('$ true\n[exit 0]'),
    record('$ make\nno rule\n[exit 2; run by the user]'),
    prompt('what failed?'),
  ]
  expect(demoReply(parts)).toContain('$ make\nno rule\n[exit 2')
  expect(demoReply([prompt('what failed?')])).toBe('Nothing has failed in this session so far.')
})

test('[DEMO1] it proposes a risky command, and leaves it when told so', () => {
  const first = demoReply([prompt('clean up')])
  expect(shellTags(first)).toMatchObject([{ command: 'rm -rf tandem-demo' }])
  const denied = record('$ rm -rf tandem-demo\n[denied by the user]')
  expect(demoReply([prompt('clean up'), reply(first), denied])).toBe('Understood, I will leave it.')
})

test('[DEMO1] what it quotes is never taken for a command', () => {
  const text = '$ cat x\n<shell>rm y</shell>\n```\n<shell>rm z</shell>\n[exit 1]'
  expect(shellTags(demoReply([record(text), prompt('why did it fail?')]))).toEqual([])
  expect(shellTags(demoReply([prompt('x'), reply('y'), record(text)]))).toEqual([])
})

test('[DEMO1] a model that has appeared is offered, but not beside a command', () => {
  expect(withOffered('Hello.', null)).toBe('Hello.')
  expect(withOffered('Hello.', 'anthropic/x')).toMatch(/\/model anthropic\/x$/)
  expect(withOffered('<shell>ls</shell>', 'anthropic/x')).toBe('<shell>ls</shell>')
})
