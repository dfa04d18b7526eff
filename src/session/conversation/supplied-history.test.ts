import fc from 'fast-check'
import { expect, test } from 'vitest'
import { whole } from '../../base/text.ts'
import { commandHeader, commandRecord } from '../append.ts'
import { bareResult, suppliedHistory, wholeRecord } from './supplied-history.ts'

const line = fc.constantFrom('', 'out', '[exit 0]', '[x]', '$ ls', '$ pwd', 'a b', '\n')
const output = fc.array(line, { maxLength: 6 }).map((lines) => lines.join('\n'))
const command = fc.constantFrom('ls', 'pwd', 'echo a\necho b', 'x'.repeat(2_000))
const status = fc.constantFrom('exit 0', 'exit 1', 'exit 0; now in /a', 'not run: nobody is here')

test('[HTTP72] a record is made again from its result, whatever was printed, and a plain end is not told', () => {
  fc.assert(
    fc.property(command, output, status, (typed, printed, end) => {
      const header = commandHeader(typed)
      const record = commandRecord(typed, whole(printed), end)
      const result = bareResult(record, header)
      expect(wholeRecord(result, header)).toBe(record)
      if (end === 'exit 0' && /^[a-z ]*$/.test(printed)) expect(result).toBe(printed)
    }),
  )
})

const textsOf = (history: ReturnType<typeof suppliedHistory>) =>
  history.messages.map((event) => {
    const [part] = event.type === 'message' ? event.parts : []
    return part?.type === 'text' ? part.text : ''
  })

test('[HTTP72] results are records whether they come whole, bare, with their commands, or joined', () => {
  const said = {
    role: 'assistant',
    content: 'see <shell>ls</shell> <input>y</input> <shell>pwd</shell>',
  } as const
  const records = ['$ ls\na\n\nb\n[exit 0]', '> y\n[exit 2]', '$ pwd\n/w\n[exit 0]']
  const headers = ['$ ls', '> y', '$ pwd']
  const whole = records.map((content) => ({ role: 'tool', content, record: true }) as const)
  const bare = records.map(
    (record, index) => ({ role: 'tool', content: bareResult(record, headers[index]!) }) as const,
  )
  expect(bare.map(({ content }) => content)).toEqual(['a\n\nb', '[exit 2]', '/w'])
  const joined = headers.map((header, index) => `${header}\n${bare[index]!.content}`).join('\n\n')
  for (const results of [whole, bare, [{ role: 'tool', content: joined } as const]])
    expect(textsOf(suppliedHistory([said, ...results], 'tags'))).toEqual([said.content, ...records])
})

test('[HTTP72] a reply’s calls count only if each is answered once; else its text does', () => {
  const call = { type: 'call', id: 'a', name: 'terminal_execute', args: '{}' } as const
  const parts = [{ type: 'text' as const, text: 'so' }, call]
  const reply = { model: 'm/n', adapter: 'anthropic', parts }
  const said = { role: 'assistant', content: 'so', reply } as const
  const answer = { role: 'tool', content: 'x', call: 'a', record: true } as const
  const [first, second] = suppliedHistory([said, answer], 'tools').messages
  expect(first).toMatchObject({ parts, origin: { model: 'm/n', adapter: 'anthropic' } })
  expect(second).toMatchObject({ answers: 'a', synthetic: true })
  for (const results of [[], [answer, answer]]) {
    const [only, ...rest] = suppliedHistory([said, ...results], 'tools').messages
    expect(only).toMatchObject({ parts: [{ type: 'text', text: 'so' }] })
    expect(only).not.toHaveProperty('origin')
    for (const one of rest) expect(one).not.toHaveProperty('answers')
  }
  const other = { ...said, content: 'changed' }
  expect(textsOf(suppliedHistory([other, answer], 'tools'))).toEqual(['changed', 'x'])
})

test('[HTTP72] the facts of a history go first, wherever they stand in it', () => {
  const facts = '[about this session, as it began]\nfolder: /w'
  const history = suppliedHistory(
    [
      { role: 'user', content: 'hello' },
      { role: 'system', content: facts },
      { role: 'system', content: 'mine' },
      { role: 'assistant', content: ' ' },
      { role: 'user', content: 'there?' },
    ],
    'tags',
  )
  expect(history.facts).toBe(facts)
  expect(textsOf(history)).toEqual(['hello', 'mine', '', 'there?'])
})
