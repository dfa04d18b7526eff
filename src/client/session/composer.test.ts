import { expect, onTestFinished, test, vi } from 'vitest'
import type { Completion, PastInput } from '../../protocol/http/completion.ts'
import { parseInput } from '../../session/decide/decide.ts'
import type { Keep } from '../keep.ts'
import { createComposer } from './composer.ts'

function opened(map: Map<string, string>, past: readonly PastInput[] = []) {
  const keep: Keep = {
    get: (name) => map.get(name) ?? null,
    set: (name, value) => void (value === null ? map.delete(name) : map.set(name, value)),
    names: () => [],
  }
  const nothing: Completion = { from: 0, to: 0, items: [] }
  const complete = vi.fn(async () => nothing)
  const history = vi.fn(async (_session: string, query: { kind?: string }) =>
    query.kind === 'shell' ? past : [],
  )
  const submit = vi.fn()
  const composer = createComposer({
    session: 'one',
    help: { complete, history },
    keep,
    moment: () => ({ isBusy: false }),
    submit,
    local: vi.fn(),
    stop: vi.fn(),
    isExposed: () => false,
    focus: vi.fn(),
  })
  onTestFinished(composer.close)
  const type = (text: string) => composer.dispatch({ type: 'typed', text, cursor: text.length })
  return { composer, type, submit, complete, history }
}

test('[WEB25] bash mode is kept with its draft: a half-typed command is none of the model’s after a reload', () => {
  const map = new Map<string, string>()
  const before = opened(map)
  before.type('/bash')
  before.composer.dispatch({ type: 'send' })
  before.type('rm -r dist')
  const after = opened(map)
  expect(after.composer.get()).toMatchObject({ text: 'rm -r dist', mode: 'bash' })
  after.composer.dispatch({ type: 'send' })
  expect(after.submit).toHaveBeenCalledWith({ type: 'submit', text: 'rm -r dist', as: 'run' })
  expect(opened(map).composer.get()).toMatchObject({ text: '', mode: 'bash' })
  after.type('exit')
  after.composer.dispatch({ type: 'send' })
  expect(map.size).toBe(0)
})

test('[COMP44] in the chat earlier commands are recalled with their exclamation mark', async () => {
  const { composer } = opened(new Map(), [{ text: 'git status', at: 5 }])
  composer.dispatch({ type: 'key', key: 'older', from: 0, to: 0 })
  await vi.waitFor(() => expect(composer.get().text).toBe('!git status'))
})

test('[COMP44] a command that begins with a sign of ours is recalled as itself: neither private nor without its sign', async () => {
  for (const begin of ['', '/bash']) {
    const { composer, type } = opened(new Map(), [{ text: '! grep x', at: 5 }])
    type(begin)
    composer.dispatch({ type: 'send' })
    composer.dispatch({ type: 'key', key: 'older', from: 0, to: 0 })
    await vi.waitFor(() => expect(composer.get().text).toBe('! ! grep x'))
  }
  expect(parseInput('! ! grep x', 'auto')).toMatchObject({ command: '! grep x', private: false })
})

test('[COMP46] the session is asked once a pause in typing, and not about prose', async () => {
  const { type, complete } = opened(new Map())
  type('h')
  type('hello')
  type('/s')
  type('/sh')
  await vi.waitFor(() => expect(complete).toHaveBeenCalled())
  expect(complete).toHaveBeenCalledTimes(1)
  expect(complete).toHaveBeenCalledWith('one', expect.objectContaining({ text: '/sh' }))
})

test('[COMP44] a text that comes back after its session was left is in its draft', () => {
  const map = new Map<string, string>()
  const before = opened(map)
  before.type('half')
  before.composer.close()
  before.composer.dispatch({ type: 'handed-back', text: 'a thought', as: 'auto' })
  expect(opened(map).composer.get().text).toBe('half\na thought')
})
