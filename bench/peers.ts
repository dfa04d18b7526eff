import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { tempFolder } from '../test/support/temp.ts'

/** Another agent, installed with npm in the folder that `TANDEM_PEERS` names. */
export interface Peer {
  name: string
  /** One prompt, until it is done. */
  turn(baseUrl: string): Promise<void>
}

export function installedPeers(folder = process.env['TANDEM_PEERS'] ?? ''): readonly Peer[] {
  const pi = join(folder, 'node_modules/.bin/pi')
  return folder !== '' && existsSync(pi)
    ? [{ name: 'pi', turn: (baseUrl) => askPi(pi, baseUrl) }]
    : []
}

async function askPi(bin: string, baseUrl: string): Promise<void> {
  const home = await tempFolder()
  const folder = join(home.path, '.pi/agent')
  await mkdir(folder, { recursive: true })
  const provider = { baseUrl, api: 'openai-completions', apiKey: 'none', models: [{ id: 'bench' }] }
  await writeFile(join(folder, 'models.json'), JSON.stringify({ providers: { bench: provider } }))
  const args = ['-p', 'go', '--provider', 'bench', '--model', 'bench', '--offline', '--no-session']
  const env = { PATH: process.env['PATH'] ?? '', HOME: home.path, PI_OFFLINE: '1' }
  const child = spawn(bin, args, { cwd: home.path, env, stdio: ['ignore', 'ignore', 'inherit'] })
  await once(child, 'exit')
  await home.remove()
}
