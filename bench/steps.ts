import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startServer } from '../test/support/server.ts'
import { installedPeers } from './peers.ts'
import { ms, percentile, type Row, times } from './stats.ts'

const steps = 40
const rounds = 3

/**
 * What a step costs beside the model: from the last byte of a reply that runs `true` to the next
 * request’s arrival. Beside it a loop of a few lines over one bash: the least that is possible.
 */
export async function stepOverhead(): Promise<readonly Row[]> {
  const model = await startClockedModel()
  const ours: number[] = []
  const least: number[] = []
  const peers = installedPeers().map((peer) => ({ ...peer, gaps: [] as number[] }))
  for (let round = 0; round < rounds; round++) {
    ours.push(...(await model.measure(() => ourTurn(model.baseUrl))))
    least.push(...(await model.measure(() => barestLoop(model.baseUrl))))
    for (const { turn, gaps } of peers)
      gaps.push(...(await model.measure(() => turn(model.baseUrl))))
  }
  await model.close()
  const [p50, p95] = [percentile(ours, 0.5), percentile(ours, 0.95)]
  return [
    {
      what: 'a step of `true`, reply to next request, p50',
      figure: ms(p50),
      beside: `${times(p50 / percentile(least, 0.5))} the barest loop (${ms(percentile(least, 0.5))})`,
    },
    {
      what: 'a step of `true`, reply to next request, p95',
      figure: ms(p95),
      beside: `${times(p95 / percentile(least, 0.95))} the barest loop (${ms(percentile(least, 0.95))})`,
    },
    ...peers.map(({ name, gaps }): Row => ({
      what: `the same beside ${name}, p50`,
      figure: times(p50 / percentile(gaps, 0.5)),
      beside: `${name} takes ${ms(percentile(gaps, 0.5))}; we want 0.35 ×`,
    })),
  ]
}

interface ClockedModel {
  baseUrl: string
  /** The gaps between a reply’s last byte and the next request, while the work goes on. */
  measure(work: () => Promise<void>): Promise<readonly number[]>
  close(): Promise<void>
}

/** Has `true` run forty times, in the way the caller understands, then says that it is done. */
async function startClockedModel(): Promise<ClockedModel> {
  let gaps: number[] = []
  let said = 0
  let lastByte: number | null = null
  const server = createServer((request, response) => {
    const now = performance.now()
    if (lastByte !== null) gaps.push(now - lastByte)
    const body: Buffer[] = []
    request.on('data', (bytes: Buffer) => body.push(bytes))
    request.on('end', () => {
      const isLast = said++ === steps
      const hasTools = Buffer.concat(body).includes('"tools":')
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(isLast ? reply({ content: 'done' }) : runTrue(hasTools), () => {
        lastByte = isLast ? null : performance.now()
      })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    async measure(work) {
      gaps = []
      said = 0
      lastByte = null
      await work()
      return gaps
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

let calls = 0

function runTrue(hasTools: boolean): string {
  if (!hasTools) return reply({ content: '<shell>true</shell>' })
  const call = { name: 'bash', arguments: '{"command":"true"}' }
  const tool = { index: 0, id: `call_${++calls}`, type: 'function', function: call }
  return reply({ tool_calls: [tool] }, 'tool_calls')
}

function reply(delta: object, finish = 'stop'): string {
  const chunk = (choice: object) =>
    `data: ${JSON.stringify({ choices: [{ index: 0, ...choice }] })}\n\n`
  const end = chunk({ delta: {}, finish_reason: finish })
  return `${chunk({ delta, finish_reason: null })}${end}data: [DONE]\n\n`
}

async function ourTurn(baseUrl: string): Promise<void> {
  const env = { TANDEM_BASE_URL: baseUrl, TANDEM_MODEL: 'openai-compatible/bench' }
  const server = await startServer({ env, config: { stepsPerTurn: steps + 1 } })
  const session = await server.session()
  // The shell is up before the first step.
  await session.run('true')
  await session.send('go')
  await session.until('agent_end')
  session.close()
  await server.close()
}

async function barestLoop(baseUrl: string): Promise<void> {
  const bash = spawn('bash', ['--norc', '--noprofile'], { stdio: ['pipe', 'pipe', 'inherit'] })
  const messages: { role: string; content: string }[] = [{ role: 'user', content: 'go' }]
  for (;;) {
    const body = JSON.stringify({ model: 'bench', stream: true, messages })
    const response = await fetch(`${baseUrl}/chat/completions`, { method: 'POST', body })
    const text = (await response.text())
      .split('\n')
      .filter((line) => line.startsWith('data: {'))
      .map((line) => JSON.parse(line.slice(6)).choices[0].delta.content ?? '')
      .join('')
    const command = /<shell>(.*)<\/shell>/.exec(text)?.[1]
    messages.push({ role: 'assistant', content: text })
    if (command === undefined) break
    messages.push({ role: 'user', content: `$ ${command}\n${await runIn(bash, command)}` })
  }
  bash.kill()
}

function runIn(bash: ReturnType<typeof spawn>, command: string): Promise<string> {
  return new Promise((resolve) => {
    let out = ''
    const onData = (data: Buffer) => {
      out += data.toString()
      if (!out.includes('\x1e')) return
      bash.stdout?.off('data', onData)
      resolve(out)
    }
    bash.stdout?.on('data', onData)
    bash.stdin?.write(`${command}\nprintf '\\x1e'\n`)
  })
}
