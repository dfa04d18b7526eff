import { readFile } from 'node:fs/promises'
import { startServer } from '../test/support/server.ts'
import { ms, percentile, type Row } from './stats.ts'

const rounds = 300

/** `!true` over HTTP, from the request to the answer's event at the client; and what it all weighs. */
export async function overhead(): Promise<readonly Row[]> {
  const server = await startServer()
  const session = await server.session()
  await session.run('true')
  const samples: number[] = []
  for (let round = 0; round < rounds; round++) {
    const start = performance.now()
    await session.run('true')
    samples.push(performance.now() - start)
  }
  const { shell } = await session.view()
  const holder = (await server.holdersOf(shell!.pid))[0] ?? 0
  const memory = await Promise.all(
    [server.process.pid ?? 0, holder, shell!.pid].map((pid) => proportional(pid)),
  )
  session.close()
  await server.close()
  const [ofServer = 0, ofHolder = 0, ofShell = 0] = memory
  return [
    {
      what: '`!true`, request to event, p50',
      figure: ms(percentile(samples, 0.5)),
      beside: 'the line is 100 ms',
    },
    {
      what: '`!true`, request to event, p95',
      figure: ms(percentile(samples, 0.95)),
      beside: 'the line is 100 ms',
    },
    { what: 'memory of the server (PSS)', figure: mb(ofServer) },
    { what: 'memory of a holder (PSS)', figure: mb(ofHolder) },
    { what: 'memory of its bash (PSS)', figure: mb(ofShell) },
  ]
}

/** Shared pages counted by share, in KB. */
async function proportional(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
  return Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0)
}

function mb(kilobytes: number): string {
  return `${(kilobytes / 1024).toFixed(1)} MB`
}
