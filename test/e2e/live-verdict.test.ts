// needs: zsh
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startWorld } from '../support/world.ts'

test.each(['bash', 'zsh'])(
  '[APP8] the live %s says what a name means: what only reads runs unasked, until a person makes it something else',
  async (shell) => {
    const world = await startWorld({ config: { approval: 'guarded', shell } })
    const { model, server } = world
    writeFileSync(join(server.workspace, 'note.md'), 'one\ntwo\n')
    const session = await server.session()
    let turns = 0
    const propose = async (command: string, ...after: readonly string[]) => {
      model.say(`<shell>${command}</shell>`, ...after)
      await session.send('go')
      turns += 1
    }
    await propose('for f in *.md; do wc -l < "$f"; done | sort -n', 'Done.')
    await session.until('agent_end', turns)
    expect((await session.until('tool_response')).content).toMatch(/\n\s*2\n\[exit 0\]$/)
    expect(session.all('elicitation_request')).toEqual([])

    const changes = [
      ['wc() { command rm "$@"; }', 'wc -l note.md', '`wc` is a function'],
      ["unset -f wc; alias wc='rm -f'", 'wc -l note.md', '`wc` is an alias for'],
      ["unalias wc; trap 'echo noticed' DEBUG", 'pwd', 'a DEBUG trap is set'],
    ] as const
    for (const [at, [change, command, why]] of changes.entries()) {
      await session.run(change)
      await propose(command)
      const { reasons } = await session.until('elicitation_request', at + 1)
      expect(reasons).toEqual(expect.arrayContaining([expect.stringContaining(why)]))
      await session.answer('deny')
      await session.until('agent_end', turns)
    }
    await session.run('trap - DEBUG')
    await propose('wc -l note.md', 'Done.')
    await session.until('agent_end', turns)
    expect(session.all('elicitation_request')).toHaveLength(changes.length)
    await world.close()
  },
)

test('[APP10] a session that asks for everything says of each command what it does', async () => {
  const world = await startWorld({ config: { approval: 'ask-all' } })
  const session = await world.server.session()
  world.model.say('<shell>pwd</shell>', 'Done.')
  await session.send('where?')
  expect(await session.until('elicitation_request')).toMatchObject({
    grade: 'reads',
    reasons: ['this session asks before every command'],
  })
  await session.answer('allow')
  await session.until('agent_end')
  await world.close()
})
