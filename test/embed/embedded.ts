import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll } from 'vitest'
import type * as Package from '../../src/index.ts'
import type { Agent, AgentOptions } from '../../src/index.ts'
import { processesOf } from '../cli/cli.ts'
import { type ScriptedModel, startScriptedModel } from '../support/scripted-model.ts'

type Tandem = typeof Package

/** The package as it is built, in this process: what runs a server needs its other parts beside it. */
export const loadTandem = (): Promise<Tandem> =>
  import(pathToFileURL(join(process.cwd(), 'dist', 'index.js')).href)

export interface Embedded {
  tandem: Tandem
  model: ScriptedModel
  /** The person's home, the data folder and a folder to work in. */
  root: string
  home: string
  workspace: string
  /** An agent that is closed with its shells when the file's tests are over. */
  agent(options?: AgentOptions): Promise<Agent>
}

/** A home and a scripted model for agents in this process, which a server reads from its environment: it is as before when they are over. */
export function useEmbedded(): Embedded {
  let parts: Omit<Embedded, 'agent'>
  const agents: Agent[] = []
  const before = { ...process.env }
  beforeAll(async () => {
    const root = await realpath(await mkdtemp(join(tmpdir(), 'tandem-embed-')))
    const workspace = join(root, 'workspace')
    await mkdir(workspace)
    const model = await startScriptedModel()
    for (const name of Object.keys(process.env))
      if (/^TANDEM_|_API_KEY$|^XDG_/.test(name)) delete process.env[name]
    Object.assign(process.env, { HOME: root, SHELL: '/bin/bash', TANDEM_BASE_URL: model.baseUrl })
    parts = { tandem: await loadTandem(), model, root, home: join(root, 'data'), workspace }
  })
  afterAll(async () => {
    for (const agent of agents) await agent.close({ shells: 'end' })
    await parts.model.close()
    const left = processesOf(parts.root)
    await rm(parts.root, { recursive: true })
    for (const name of Object.keys(process.env)) delete process.env[name]
    Object.assign(process.env, before)
    if (left.length > 0) throw new Error(`left behind: ${left.join(', ')}`)
  })
  return {
    get tandem() {
      return parts.tandem
    },
    get model() {
      return parts.model
    },
    get root() {
      return parts.root
    },
    get home() {
      return parts.home
    },
    get workspace() {
      return parts.workspace
    },
    async agent(options = {}) {
      const { home, workspace } = parts
      const where = options.session === undefined ? { home, workspace } : { home }
      const agent = await parts.tandem.createAgent({ ...where, ...options })
      agents.push(agent)
      return agent
    },
  }
}
