import { readdir, readFile } from 'node:fs/promises'
import { startServer } from '../test/support/server.ts'
import { tempFolder } from '../test/support/temp.ts'
import { type Inside, prepareInsight } from './inside.ts'
import { rss } from './rss.ts'
import { soakSessions } from './soak-sessions.ts'
import { slope } from './stats.ts'

const commands = Number(process.argv[2] ?? 10_000)
/** Long enough that caches are full and pools have their size. */
const warmUp = Math.min(1_000, Math.floor(commands / 5))
const samplesTaken = 20
/** What a command may cost for ever, in bytes. */
const maxSlope = 1_024

interface Sample extends Inside {
  command: number
  serverRss: number
  holderRss: number
  serverFds: number
  holderFds: number
  /** Children of the shell. */
  processes: number
}

/** Thousands of commands through one shell: nothing is lost, doubled or leaked. */
async function soak(): Promise<void> {
  const temp = await tempFolder()
  const insight = await prepareInsight(temp.path)
  const server = await startServer({ env: insight.env })
  const session = await server.session()
  await session.run('cd .')
  const { shell } = await session.view()
  const [holder = 0] = await server.holdersOf(shell!.pid)
  const pid = server.process.pid ?? 0
  const samples: Sample[] = []

  async function sample(command: number): Promise<void> {
    samples.push({
      command,
      ...(await insight.look(pid)),
      serverRss: await rss(pid),
      holderRss: await rss(holder),
      serverFds: await descriptors(pid),
      holderFds: await descriptors(holder),
      processes: (await readFile(children(shell!.pid), 'utf8')).split(' ').filter(Boolean).length,
    })
  }

  const every = Math.max(1, Math.floor((commands - warmUp) / samplesTaken))
  for (let n = 1; n <= commands; n++) {
    const code = n % 7
    const response = await session.run(`echo ${n}; (exit ${code})`)
    const expected = `$ echo ${n}; (exit ${code})\n${n}\n[exit ${code}; run by the user]`
    if (response.content !== expected) throw new Error(`command ${n}: ${response.content}`)
    if (n >= warmUp && (n - warmUp) % every === 0) await sample(n)
    if (n % 1_000 === 0) console.log(`${n} of ${commands}`)
  }
  const seqs = session.events.map(({ seq }) => seq)
  const isWhole = seqs.every((seq, index) => seq === index + 1)
  const slopes = report(samples)
  console.log(`${seqs.length} events, ${isWhole ? 'no gap, none doubled' : 'NOT WHOLE'}`)
  session.close()
  await server.close()
  await temp.remove()
  if (!isWhole || slopes.some((bytes) => bytes >= maxSlope)) process.exit(1)
}

/** Prints what grew, and returns the slopes that must stay below the line. */
function report(samples: readonly Sample[]): readonly number[] {
  const of = (field: keyof Sample) =>
    slope(samples.map((sample) => ({ x: sample.command, y: sample[field] })))
  const kept = {
    'server, live objects and buffers': of('liveBytes'),
    'server, resident': of('serverRss'),
    'holder, resident': of('holderRss'),
  }
  for (const [what, bytes] of Object.entries(kept))
    console.log(`${what}: ${bytes.toFixed(0)} bytes a command`)
  const [first, last] = [samples[0], samples.at(-1)]
  for (const field of ['serverFds', 'holderFds', 'processes', 'timers'] as const)
    console.log(`${field}: ${first?.[field]} at the start, ${last?.[field]} at the end`)
  return Object.values(kept)
}

const children = (pid: number) => `/proc/${pid}/task/${pid}/children`

async function descriptors(pid: number): Promise<number> {
  return (await readdir(`/proc/${pid}/fd`)).length
}

/** `TANDEM_SOAK=sessions` or `commands`: one part alone. */
const part = process.env['TANDEM_SOAK']
if (part !== 'commands' && !(await soakSessions(commands))) process.exitCode = 1
if (part !== 'sessions') await soak()
