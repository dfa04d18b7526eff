import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { startScriptedModel } from '../test/support/scripted-model.ts'
import { tempFolder } from '../test/support/temp.ts'
import { ms, percentile, type Row, times } from './stats.ts'

const rounds = 10

/** From `tandem -p` to the first byte at the model, beside a bare `node -e 0`. */
export async function startUp(): Promise<readonly Row[]> {
  const temp = await tempFolder()
  const workspace = join(temp.path, 'workspace')
  await mkdir(workspace)
  const model = await startScriptedModel()
  const cli = join(process.env['TANDEM_DIST'] ?? 'dist', 'cli.js')
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: temp.path,
    TANDEM_HOME: join(temp.path, 'data'),
    TANDEM_BASE_URL: model.baseUrl,
  }
  const stop = () => spawnSync(process.execPath, [cli, 'stop', '--shells'], { env, cwd: workspace })

  async function toRequest(): Promise<number> {
    const before = model.requests.length
    const start = performance.now()
    const child = spawn(process.execPath, [cli, '-p', 'hello'], {
      env,
      cwd: workspace,
      stdio: 'ignore',
    })
    const exit = once(child, 'exit')
    await model.request(before + 1)
    const taken = performance.now() - start
    await exit
    return taken
  }

  async function bare(): Promise<number> {
    const start = performance.now()
    await once(spawn(process.execPath, ['-e', '0'], { env, stdio: 'ignore' }), 'exit')
    return performance.now() - start
  }

  const samples = { cold: [] as number[], warm: [] as number[], node: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    stop()
    samples.cold.push(await toRequest())
    samples.warm.push(await toRequest())
    samples.node.push(await bare())
  }
  stop()
  await model.close()
  await temp.remove()
  const node = percentile(samples.node, 0.5)
  const row = (what: string, list: readonly number[]): Row => ({
    what,
    figure: ms(percentile(list, 0.5)),
    beside: `${times(percentile(list, 0.5) / node)} bare node (${ms(node)})`,
  })
  return [
    row('`tandem -p` to first request, server up', samples.warm),
    row('`tandem -p` to first request, cold', samples.cold),
  ]
}
