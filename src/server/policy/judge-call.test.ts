import { realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { plainShell } from '../../../test/support/plain-shell.ts'
import { simulate } from '../../../test/support/simulate.ts'
import { emptyWorld } from '../../session/catalogue.ts'
import type { PulledState } from '../terminal/shell/ask-state.ts'
import { createSessionTasks } from './session-tasks.ts'
import { judgeCall, type JudgeDeps } from './judge-call.ts'

const folder = realpathSync(tmpdir())

/** The verdict on a model's `ls` in a shell that says this of itself. */
async function judgeLs(liveState: JudgeDeps['liveState']) {
  const simulation = simulate('tags')
  await simulation.happen({ type: 'submit', text: 'go', as: 'auto' })
  await simulation.happen({ type: 'effect', pick: 0, fate: 3, text: '<shell>ls</shell>' })
  await simulation.happen({ type: 'effect', pick: 0, fate: 3, text: '' })
  const call = simulation.log.find((event) => event.type === 'tool_request')
  if (call === undefined) throw new Error('the model asked for nothing')
  const { state } = simulation
  if (state.shell.phase !== 'live') throw new Error('there is no shell')
  const shell = { ...state.shell, cwd: folder }
  return judgeCall(
    { key: 'judge', type: 'judge', call, command: 'ls', stamp: 3, terms: 'guarded' },
    {
      state: () => ({ ...state, workspace: folder, shell }),
      world: async () => emptyWorld,
      liveState,
      oneShotShell: async () => null,
      stamp: () => 5,
      cwd: () => null,
      reported: async () => undefined,
      folderRules: () => [],
      tasks: createSessionTasks(folder),
    },
  )
}

const pulled = (stamp: number, names?: readonly string[]): PulledState => ({
  ...plainShell({ cwd: folder, ...(names && { asked: new Set(names) }) }),
  stamp,
  fingerprint: () => '',
})

test('[APP60] a verdict names the mark at which the shell was asked', async () => {
  expect(await judgeLs(async () => pulled(5))).toMatchObject({
    verdict: { decision: 'allow' },
    stamp: 3,
    mark: 5,
    cwd: folder,
  })
})

test('[APP10] a shell that says nothing of itself makes a command ask, where it is', async () => {
  expect(await judgeLs(async () => null)).toMatchObject({ verdict: { decision: 'ask' }, mark: 5 })
})

test('[APP60] what was heard at two moments is of two shells: the command asks', async () => {
  let asked = 0
  const judged = await judgeLs(async () => pulled(4 + ++asked, asked > 1 ? ['ls'] : []))
  expect(asked).toBe(2)
  expect(judged.verdict).toMatchObject({
    decision: 'ask',
    reasons: ['the shell changed while this was judged'],
  })
  expect(judged.mark, 'so that a yes to it is void').toBe(5)
})
