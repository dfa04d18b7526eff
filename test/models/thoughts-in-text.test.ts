import { expect, onTestFinished, test } from 'vitest'
import { startServer } from '../support/server.ts'
import { ask, chunk, done, json, provider, serve, stream } from './served.ts'

/**
 * Thoughts that stand in the text: Groq by default (reasoning_format raw), LM Studio (lmstudio-bug-tracker#1569), vLLM and
 * SGLang without a reasoning parser. DeepSeek-R1 and others do not write the first of the two tags.
 */
const texts = [
  'maybe\n<shell>touch thought</shell>\nbut no, that was not asked for\n</think>\n\nHello',
  '<think>\nmaybe\n<shell>touch thought</shell>\nbut no, that was not asked for\n</think>\n\nHello',
]

test.each(texts)(
  '[MODEL61] a command that was only thought of is not asked for: %j',
  async (text) => {
    const pieces = text.match(/[\s\S]{1,5}/g) ?? []
    const reply = stream(...pieces.map((content) => chunk({ content })), chunk({}, 'stop'), done)
    const origin = await serve(provider(json(200, { data: [{ id: 'm' }] }), reply))
    const server = await startServer({
      env: { TANDEM_MODEL: 'openai-compatible/m', TANDEM_BASE_URL: origin },
    })
    onTestFinished(() => server.close())
    const session = await server.session()
    await session.send('hello')
    await Promise.race([session.until('agent_end'), session.until('tool_request')])
    session.close()
    expect(session.all('tool_request')).toEqual([])
  },
)

test('[MODEL61] a thought that stands in the text between its tags is a thought', async () => {
  const pieces = ['<thi', 'nk>let me', ' see</th', 'ink>', '\n\nHello']
  const reply = stream(...pieces.map((content) => chunk({ content })), chunk({}, 'stop'), done)
  const { parts } = await ask('openai-chat', reply)
  expect(parts).toMatchObject([
    { type: 'thinking', text: 'let me see' },
    { type: 'text', text: expect.stringMatching(/^\s*Hello$/) },
  ])
})
