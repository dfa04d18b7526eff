import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startCurrent } from '../current.ts'
import { createPull } from './pull.ts'
import { createStatePull } from './state-pull.ts'

const shellPid = 7

/** A shell at its prompt, played by the test, and all that was answered. */
function open() {
  const folder = mkdtempSync(join(tmpdir(), 'tandem-pull-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const current = startCurrent({ size: { rows: 24, cols: 80 } })
  current.promptPid = shellPid
  const written: string[] = []
  const answers: string[] = []
  const options = {
    current,
    folder,
    fresh: 'F',
    shellPid,
    reads: () => true,
    write: (bytes: Buffer) => void written.push(String(bytes)),
    answer: (bytes: Buffer) => void answers.push(String(bytes)),
  }
  const says = (mark: 'N' | 'S', text: string) => {
    writeFileSync(join(folder, mark === 'N' ? 'names' : 'state'), text)
    current.pulls[mark]?.onAnswer()
  }
  return { current, options, written, answers, says }
}

test('[INJ8] each question to a shell has one answer, in order: one that comes while another is under way has nothing', () => {
  const { options, written, answers, says } = open()
  const pull = createPull({
    ...options,
    name: 'names',
    mark: 'N',
    key: 'K',
    takesText: false,
    tries: 1,
  })
  pull.ask()
  pull.ask()
  pull.ask()
  expect(answers).toEqual([])
  says('N', 'first')
  expect(answers).toEqual(['first', '', ''])
  pull.ask()
  says('N', 'last')
  expect(answers).toEqual(['first', '', '', 'last'])
  expect(written).toEqual(['K', 'K'])
})

test('[INJ8] an answer that is under way at a prompt is not taken for the first state', () => {
  const { current, options, answers, says } = open()
  const state = createStatePull({ ...options, key: 'K' })
  state.ask(Buffer.from('one\0'))
  current.firstState?.onPrompt()
  state.ask(Buffer.from('two\0'))
  says('S', '')
  expect(answers).toEqual(['', ''])
  expect(current.firstState).not.toBeNull()
})
