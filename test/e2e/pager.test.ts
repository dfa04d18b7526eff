// needs: less
import { expect, test } from 'vitest'
import { useWorld } from '../support/world.ts'

const world = useWorld({ config: { personSilenceSeconds: 1 } })

test('[WAIT8] a command that takes the screen is answered with the screen', async () => {
  const session = await world.server.session()
  world.model.say('<shell>seq 3 100 | less</shell>', '<input>q</input>', 'I saw it.')
  await session.send('show me')
  await session.answer('allow')
  const waiting = await session.until('tool_response')
  expect(waiting.status).toBe('waiting')
  expect(waiting.content).toMatch(
    /^\$ seq 3 100 \| less\n3\n4\n[\s\S]*\n:\n\[it has taken the screen; .*\]$/,
  )
  await session.answer('allow')
  await session.until('agent_end')
  expect(await session.until('run_end')).toMatchObject({ exitCode: 0 })
})
