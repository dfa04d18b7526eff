import { readdir, readFile } from 'node:fs/promises'
import { startServer } from '../test/support/server.ts'

const commands = Number(process.argv[2] ?? 10_000)
/** Long enough that caches are full and pools have their size. */
const warmUp = Math.min(1_000, Math.floor(commands / 5))

interface Sample {
  rss: number
  fds: number
}

/** Thousands of commands through one shell: nothing is lost, doubled or leaked. */
async function soak(): Promise<void> {
  const server = await startServer()
  const session = await server.session()
  await session.run('cd .')
  const { shell } = await session.view()
  const [holder = 0] = await server.holdersOf(shell!.pid)
  const pids = { server: server.process.pid ?? 0, holder }
  let before: Record<string, Sample> = {}
  for (let n = 1; n <= commands; n++) {
    const code = n % 7
    const response = await session.run(`echo ${n}; (exit ${code})`)
    const expected = `$ echo ${n}; (exit ${code})\n${n}\n[exit ${code}; run by the user]`
    if (response.content !== expected) throw new Error(`command ${n}: ${response.content}`)
    if (n === warmUp) before = await sample(pids)
    if (n % 1_000 === 0) console.log(`${n} of ${commands}`)
  }
  const after = await sample(pids)
  const seqs = session.events.map(({ seq }) => seq)
  const isWhole = seqs.every((seq, index) => seq === index + 1)
  for (const name of Object.keys(pids)) {
    const slope = ((after[name]!.rss - before[name]!.rss) * 1_024) / (commands - warmUp)
    const fds = after[name]!.fds - before[name]!.fds
    console.log(
      `${name}: ${slope.toFixed(0)} bytes a command, descriptors ${fds >= 0 ? '+' : ''}${fds}`,
    )
  }
  console.log(`${seqs.length} events, ${isWhole ? 'no gap, none doubled' : 'NOT WHOLE'}`)
  session.close()
  await server.close()
  if (!isWhole) process.exit(1)
}

async function sample(pids: Record<string, number>): Promise<Record<string, Sample>> {
  const entries = await Promise.all(
    Object.entries(pids).map(async ([name, pid]) => {
      const status = await readFile(`/proc/${pid}/status`, 'utf8')
      const rss = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0)
      const fds = (await readdir(`/proc/${pid}/fd`)).length
      return [name, { rss, fds }] as const
    }),
  )
  return Object.fromEntries(entries)
}

await soak()
