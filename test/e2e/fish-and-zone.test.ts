// needs: fish
import { expect, onTestFinished, test } from 'vitest'
import { startScriptedModel } from '../support/scripted-model.ts'
import { startServer } from '../support/server.ts'

test('[APP8] [TR18] in fish the model’s own `true` waits for a yes, and the date it is told is the person’s', async () => {
  const model = await startScriptedModel()
  onTestFinished(() => model.close())
  const zone = 'Pacific/Kiritimati'
  const env = { TANDEM_BASE_URL: model.baseUrl, SHELL: '/usr/bin/fish', TZ: zone }
  const server = await startServer({ env })
  onTestFinished(() => server.close())
  const session = await server.session()
  const day = new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(Date.now())
  model.say('<shell>true</shell>', 'Done.')
  await session.send('go')
  const ask = await session.until('elicitation_request')
  expect(ask).toMatchObject({ command: 'true', reasons: [expect.stringContaining('fish')] })
  expect(session.all('run_start')).toEqual([])
  await session.answer('allow')
  await session.until('agent_end')
  expect(session.all('run_start')).toHaveLength(1)
  const { messages } = await model.request(1)
  expect(JSON.stringify(messages)).toContain(`date: ${day} (${zone}, UTC+14:00)`)
})
