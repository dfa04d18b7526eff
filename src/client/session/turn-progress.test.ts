import { expect, test } from 'vitest'
import { createLog } from '../../../test/client/logs.ts'
import { advance, beginProgress, isOver } from './turn-progress.ts'

type Log = ReturnType<typeof createLog>

const follow = (log: Log, span: { first: number; head: number }) =>
  log
    .events()
    .filter((event) => event.seq >= span.first)
    .reduce(advance, beginProgress(span))

test('[CLI5] a prompt is over when its own turn ends, with the text of the last reply', () => {
  const log = createLog()
  log.start()
  const prompt = log.prompt('list the files')
  const turn = log.turn(prompt)
  const span = { first: prompt, head: turn }
  const step = log.step(turn, [prompt])
  log.reply(step, 'Look.\n<shell>ls</shell>')
  const call = log.call('ls', step)
  expect(isOver(follow(log, span))).toBe(false)
  log.runEnd(log.runStart(call, 'ls'), 2)
  log.respond(call, 'error')
  log.endStep(step, true)
  const last = log.step(turn)
  log.reply(last, 'It failed.')
  log.endStep(last)
  expect(isOver(follow(log, span))).toBe(false)
  log.endTurn(turn, 'done')
  const progress = follow(log, span)
  expect(isOver(progress)).toBe(true)
  expect(progress).toMatchObject({ text: 'It failed.', runs: [{ command: 'ls', exitCode: 2 }] })
})

test('[CLI5] text queued behind a running turn waits for the turn that takes it, not for that one', () => {
  const log = createLog()
  log.start()
  const running = log.turn(log.prompt('first'))
  const queued = log.add({ type: 'input_queued', text: 'second' })
  const span = { first: queued, head: queued }
  log.endTurn(running, 'aborted')
  expect(isOver(follow(log, span))).toBe(false)
  const next = log.turn(queued)
  log.endStep(log.step(next, [queued]))
  log.endTurn(next, 'done')
  expect(isOver(follow(log, span))).toBe(true)
  expect(follow(log, span).end?.turn).toBe(next)
})

test('[CLI5] a command given as a prompt is over when it is answered', () => {
  const log = createLog()
  log.start()
  const call = log.call('ls')
  const start = log.runStart(call, 'ls')
  const span = { first: call, head: start }
  expect(isOver(follow(log, span))).toBe(false)
  log.runEnd(start)
  log.respond(call, 'done')
  expect(isOver(follow(log, span))).toBe(true)
})

test('[CLI5] a prompt that somebody took back is over, and what it mentions is not its answer', () => {
  const log = createLog()
  log.start()
  const prompt = log.add({ type: 'input_queued', text: 'see @a.ts' })
  const meta = { isClientInitiated: true }
  const read = log.add({
    type: 'tool_request',
    meta,
    name: 'read_file',
    args: 'a.ts',
    index: 0,
    step: null,
    prompt,
  })
  const span = { first: prompt, head: read }
  log.respond(read, 'done')
  expect(follow(log, span)).toMatchObject({ text: '', status: null })
  expect(isOver(follow(log, span))).toBe(false)
  log.add({ type: 'input_withdrawn', queued: prompt })
  expect(follow(log, span)).toMatchObject({ status: 'cancelled' })
  expect(isOver(follow(log, span))).toBe(true)
})

test('[CLI5] open questions are known until someone answers them', () => {
  const log = createLog()
  log.start()
  const prompt = log.prompt('clean up')
  const turn = log.turn(prompt)
  const step = log.step(turn, [prompt])
  log.reply(step, '<shell>rm -rf dist</shell>')
  const call = log.call('rm -rf dist', step)
  const ask = log.ask(call, 'rm -rf dist')
  const span = { first: prompt, head: turn }
  const later = log.ask(log.call('make', step), 'make')
  expect(follow(log, span).asks).toMatchObject([
    { seq: ask, command: 'rm -rf dist' },
    { seq: later },
  ])
  log.answer(later, 'deny')
  expect(follow(log, span).asks).toMatchObject([{ seq: ask }])
  log.answer(ask, 'deny')
  expect(follow(log, span).asks).toEqual([])
})

test('[CLI5] a yes is over when the turn that had asked has ended, and a plain no at once', () => {
  for (const outcome of ['allow', 'deny'] as const) {
    const log = createLog()
    log.start()
    const turn = log.turn(log.prompt('clean up'))
    const step = log.step(turn)
    const call = log.call('rm -rf dist', step)
    const ask = log.ask(call, 'rm -rf dist')
    const first = log.answer(ask, outcome)
    if (outcome === 'deny') {
      log.endStep(step)
      const span = { first, head: log.endTurn(turn, 'declined') }
      expect(isOver(follow(log, span))).toBe(true)
      expect(follow(log, span).end).toBeNull()
      continue
    }
    const span = { first, head: log.runStart(call, 'rm -rf dist') }
    expect(isOver(follow(log, span))).toBe(false)
    log.endStep(step, true)
    const last = log.step(turn)
    log.reply(last, 'Gone.')
    log.endStep(last)
    log.endTurn(turn, 'done')
    expect(isOver(follow(log, span))).toBe(true)
    expect(follow(log, span)).toMatchObject({ text: 'Gone.', end: { reason: 'done' } })
  }
})

test('[CLI5] an aborted turn is over when its cut reply is in, and its text counts', () => {
  const log = createLog()
  log.start()
  const prompt = log.prompt('go')
  const turn = log.turn(prompt)
  const step = log.step(turn, [prompt])
  log.endTurn(turn, 'aborted')
  const span = { first: prompt, head: turn }
  expect(isOver(follow(log, span))).toBe(false)
  log.reply(step, 'I was about', 'aborted')
  log.endStep(step)
  expect(isOver(follow(log, span))).toBe(true)
  expect(follow(log, span).text).toBe('I was about')
})
