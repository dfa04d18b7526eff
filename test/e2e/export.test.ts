import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { routes } from '../../src/protocol/http/routes.ts'
import type { ExportFormat } from '../../src/protocol/http/page-routes.ts'
import type { TestSession } from '../support/session.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()
let session: TestSession

beforeEach(async () => {
  world.model.hush()
  session = await world.server.session()
})

const exported = (format: ExportFormat) =>
  world.server.client.document(routes.export, { params: { id: session.id }, query: { format } })

test('[EXP7] the JSON has every run as an entry of type shell, where it happened among the messages', async () => {
  await session.run('echo first; echo second >&2')
  world.model.say('<shell>rm -rf /tmp/none</shell>', 'As you wish.')
  await session.send('clean up')
  await session.answer('deny', { word: 'not now' })
  await session.until('agent_end')
  await session.run('(exit 3)')
  await session.send('!!echo hush-hush')
  await session.until('run_end', 3)
  const { messages } = JSON.parse(await exported('json'))
  const one = session.all('run_start')[0]!
  expect(messages).toMatchObject([
    {
      type: 'shell',
      id: one.run,
      command: 'echo first; echo second >&2',
      repo: null,
      cwd: world.server.workspace,
      source: 'bash',
      status: 'done',
      exit_code: 0,
      output: 'first\nsecond\n',
      at: session.all('tool_request')[0]!.at,
      duration_ms: expect.any(Number),
    },
    { type: 'message', role: 'user', content: 'clean up' },
    { type: 'message', role: 'assistant', content: '<shell>rm -rf /tmp/none</shell>' },
    { type: 'shell', id: null, command: 'rm -rf /tmp/none', status: 'error', exit_code: null },
    { type: 'message', role: 'assistant', content: 'As you wish.' },
    { type: 'shell', command: '(exit 3)', status: 'error', exit_code: 3, output: '' },
    { type: 'shell', private: true, command: null, cwd: null, status: 'done', output: null },
  ])
  expect(JSON.stringify(messages)).not.toContain('hush')
})

test('[EXP7] a one-shot command keeps stdout and stderr apart, and its repo is named', async () => {
  const { team } = await session.view()
  await world.server.client.call(routes.addRepo, {
    params: { team },
    body: { path: world.server.workspace, name: 'here' },
  })
  const { first } = await session.send('/shell --repo here printf out; printf err >&2; exit 4')
  await session.answerTo(first)
  const { messages } = JSON.parse(await exported('json'))
  const { run } = await session.until('run_start')
  expect(messages).toMatchObject([
    {
      type: 'shell',
      id: run,
      command: 'printf out; printf err >&2; exit 4',
      repo: 'here',
      source: 'slash',
      status: 'error',
      exit_code: 4,
      stdout: 'out',
      stderr: 'err',
    },
  ])
  const html = await exported('html')
  expect(html).toContain('here · ')
  expect(html).toContain('<pre>out\n</pre><pre>err\n</pre>')
})

test('[EXP6] the page shows what was said and run, in its colours, and nothing private', async () => {
  await session.run('printf "\\033[31mred <b>\\033[0m\\n"')
  await session.send('!!echo hush-hush')
  await session.until('run_end', 2)
  world.model.say('All *well*.')
  await session.send('how is it?')
  await session.until('agent_end')
  const html = await exported('html')
  expect(html).toMatch(/^<!doctype html>/)
  expect(html).toContain('<span class="ink-1">red &lt;b&gt;</span>')
  expect(html).toContain('A private command ran here: done.')
  expect(html).toContain('<p class="text">All *well*.</p>')
  expect(html).not.toContain('hush')
})

test('[EXP1] a long output keeps its beginning and its end, and says how much is left out', async () => {
  await session.run('seq 1 40000')
  const { messages } = JSON.parse(await exported('json'))
  const [{ output, omitted }] = messages
  const { bytes } = await session.until('run_end')
  expect(omitted).toBe(bytes - 100_000)
  expect(output).toMatch(/^1\n2\n3\n/)
  expect(output).toContain(`[… ${omitted} bytes …]`)
  expect(output).toMatch(/39999\n40000\n$/)
})

test('[EXP10] /export writes the session into the workspace, under a name that was free', async () => {
  await session.run('echo hello')
  const says = async (text: string) => {
    const { first } = await session.send(text)
    return session.answerTo(first)
  }
  const short = session.id.slice(0, 8)
  const file = join(world.server.workspace, `tandem-${short}.html`)
  const first = await says('/export html')
  expect(first).toMatchObject({ status: 'done', inContext: false })
  expect(first.content).toMatch(/^Wrote .*\.html \([\d.]+ kB\)\.$/)
  expect(first.content).toContain(file)
  expect(await readFile(file, 'utf8')).toContain('hello')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const second = await says('/export html')
  expect(second.content).toContain(join(world.server.workspace, `tandem-${short}-2.html`))
  expect((await says('/export')).content).toContain(`tandem-${short}.md`)
})

test('[EXP10] /export overwrites nothing, and says what is wrong', async () => {
  const says = async (text: string) => {
    const { first } = await session.send(text)
    return session.answerTo(first)
  }
  const taken = join(world.server.workspace, 'taken it.json')
  await writeFile(taken, 'mine')
  const refused = await says('/export json "taken it.json"')
  expect(refused).toMatchObject({ status: 'error', inContext: false })
  expect(refused.content).toBe(`Cannot write ${taken}: it is there already; give another name.`)
  expect(await readFile(taken, 'utf8')).toBe('mine')
  expect((await says('/export md no/where.md')).content).toContain('there is no such folder')
  const whole = await says('/export jsonl all.jsonl')
  expect(whole.content).toMatch(/all\.jsonl .*Private commands are in it too\.$/)
  await expect(session.send('/export pdf')).rejects.toThrow(/md, json, jsonl, cast, html/)
})
