// needs: zsh fish
import { expect, test } from 'vitest'
import { ShellName } from '../../src/protocol/events/shell.ts'
import { viewOf } from '../../src/view/fold/entries.ts'
import { eachEntry } from '../../src/view/fold/entry-list.ts'
import { sitDown } from '../live-view/support/sit-down.ts'

test.each(ShellName.options)(
  '[TYPED8] what is typed is a run of its own, and one line each in the model’s next request: %s',
  async (shell) => {
    const { model, session, viewer } = await sitDown(shell)
    viewer.type('echo "typed; ☃"\r')
    const start = await session.until('run_start')
    expect(start).toMatchObject({
      request: null,
      source: 'typed',
      command: 'echo "typed; ☃"',
      private: false,
      timeoutMs: 0,
      by: { kind: 'user' },
    })
    const end = await session.until('run_end')
    expect(end).toMatchObject({ run: start.run, outcome: 'ended', exitCode: 0 })
    viewer.type('cd /; false\r')
    expect(await session.until('run_end', 2)).toMatchObject({ exitCode: 1, cwdAfter: '/' })
    model.say('Seen.')
    await session.send('what did I do?')
    await session.until('agent_end')
    const { messages, body } = await model.request(1)
    const lines = [
      '[the user typed: $ echo "typed; ☃" → exit 0]',
      '[the user typed: $ cd /; false → exit 1; now in /]',
    ]
    const said = messages.map(({ content }) => content).join('\n')
    for (const line of lines) expect(said.split(line)).toHaveLength(2)
    expect(body.split('typed; ☃')).toHaveLength(2)
    const entries = [...eachEntry(viewOf(session.events).entries)]
    expect(entries.filter(({ kind }) => kind === 'run')).toMatchObject([
      { source: 'typed', command: 'echo "typed; ☃"', state: { phase: 'settled' } },
      { source: 'typed', command: 'cd /; false', state: { phase: 'settled' } },
    ])
  },
)
