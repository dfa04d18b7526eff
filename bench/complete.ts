import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { listFiles } from '../src/server/files/ripgrep.ts'
import { startServer } from '../test/support/server.ts'
import { ms, percentile, type Row, times } from './stats.ts'

const fileCount = 50_000
const rounds = 40
/** From nearly everything to nearly nothing; the first letter of a name is the hardest. */
const typed = ['', 's', 'se', 'ser', 'index', 'srvmod', 'src/lib7/mod', 'zzqq', 'model12']

/** `@…` over HTTP in a workspace of 50,000 files, warm; beside one look at every name, and ripgrep. */
export async function complete(): Promise<readonly Row[]> {
  const server = await startServer()
  await makeFiles(server.workspace)
  const session = await server.session()
  const ask = async (text: string) => {
    const start = performance.now()
    await server.client.complete(session.id, { text, cursor: text.length })
    return performance.now() - start
  }
  const list = async () => {
    const start = performance.now()
    const listed = await listFiles(server.workspace, { limit: 200_000 })
    if (!listed.ok) throw new Error(listed.error)
    return { took: performance.now() - start, files: listed.value.files }
  }
  const cold = await ask('@server')
  const { took, files } = await list()
  for (const text of typed) await ask(`see @${text}`)
  const files50 = await samplesOf(rounds, (round) => ask(`see @${typed[round % typed.length]}`))
  const programs = await samplesOf(rounds, () => ask('!gi'))
  const commands = await samplesOf(rounds, () => ask('/mo'))
  const scan = await samplesOf(rounds, async () => {
    const start = performance.now()
    let count = 0
    for (const file of files) if (file.includes('server')) count += 1
    return count < 0 ? 0 : performance.now() - start
  })
  session.close()
  await server.close()
  const p50 = percentile(files50, 0.5)
  return [
    { what: '`@…` among 50,000 files, p50', figure: ms(p50), beside: 'the line is 50 ms' },
    {
      what: '`@…` among 50,000 files, p95',
      figure: ms(percentile(files50, 0.95)),
      beside: 'the line is 50 ms',
    },
    {
      what: '`@…` : one look at each name',
      figure: times(p50 / percentile(scan, 0.5)),
      beside: ms(percentile(scan, 0.5)),
    },
    { what: '`@…` : `rg --files`', figure: times(p50 / took), beside: ms(took) },
    { what: 'the first `@…`, nothing listed yet', figure: ms(cold) },
    { what: '`!gi`, p50', figure: ms(percentile(programs, 0.5)) },
    { what: '`/mo`, p50', figure: ms(percentile(commands, 0.5)) },
  ]
}

async function samplesOf(
  count: number,
  sample: (round: number) => Promise<number>,
): Promise<number[]> {
  const samples: number[] = []
  for (let round = 0; round < count; round += 1) samples.push(await sample(round))
  return samples
}

async function makeFiles(workspace: string): Promise<void> {
  const folders = Array.from({ length: 500 }, (_, index) =>
    join(
      workspace,
      ['src', 'test', 'packages', 'docs'][index % 4] ?? 'src',
      `lib${index}`,
      'server',
    ),
  )
  for (const folder of folders) await mkdir(folder, { recursive: true })
  for (let start = 0; start < fileCount; start += 500)
    await Promise.all(
      folders.map((folder, index) => writeFile(join(folder, `model-${start + index}.ts`), '')),
    )
}
