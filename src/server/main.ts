import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Config, type Flags, readConfig } from './config.ts'
import { tokenFile } from './data-folder.ts'
import { createDiagnostics } from './diagnostics.ts'
import { forgetKeys } from './forget-keys.ts'
import { type HttpServer, listen } from './http/server.ts'
import { openTokenFile } from './http/token.ts'
import { watchIdle } from './idle.ts'
import { createLooker } from './looker/looker.ts'
import { catchRejections } from './catch-rejections.ts'
import { createModels } from './model/models.ts'
import { attachTo, takeFolder } from './one-server.ts'
import { openHosts } from './open-hosts.ts'
import { openProcessLimits } from './process-limits.ts'
import type { RunningServer } from './running-server.ts'
import { rememberedPort, removeServerInfo, writeServerInfo } from './server-file.ts'
import { createSkillPrograms } from './skills/skill-programs.ts'
import { skillsFor } from './skills/skills-for.ts'
import { StartError } from './start-error.ts'
import { createStats } from './stats/stats.ts'
import { createSqliteStore, openMigrated } from './store/sqlite.ts'
import { createTeams } from './teams/create-teams.ts'
import { createShellResults } from './teams/shell-results.ts'
import { watchLogs } from './terminal/cap-logs.ts'
import { createTrust } from './trust.ts'

export interface ServeOptions extends Flags {
  /** End the server that runs on this data folder and take its place; shells live on. */
  replace?: boolean | undefined
  /** The process is the server's own: what nobody listens to in it is written down and does not end it. */
  ownsProcess?: boolean | undefined
}

/** Starts the server of a data folder, or finds the one that runs. Throws a StartError. */
export async function serve(options: ServeOptions): Promise<RunningServer> {
  const config = readConfig(options, process.env)
  const { home } = config
  makeFolder(home)
  const lock = await takeFolder(home, { replace: options.replace ?? false })
  if (lock === null) return attachTo(home)
  try {
    return await start(config, { release: lock.release, ownsProcess: options.ownsProcess ?? false })
  } catch (error) {
    lock.release()
    throw error
  }
}

async function start(
  config: Config,
  { release, ownsProcess }: { release: () => void; ownsProcess: boolean },
): Promise<RunningServer> {
  const { home } = config
  const diagnostics = createDiagnostics(join(home, 'diagnostics.jsonl'), Date.now)
  const stopNet = ownsProcess ? catchRejections(diagnostics.diagnose) : () => undefined
  const models = await createModels(config.models)
  if (!models.ok) throw new StartError('config', models.error)
  const token = await openTokenFile(join(home, tokenFile))
  const database = openMigrated({ file: join(home, 'tandem.db') })
  const store = createSqliteStore(database)
  const looker = createLooker({
    entry: fileURLToPath(new URL('looker.js', import.meta.url)),
    diagnose: diagnostics.diagnose,
  })
  const { look } = looker
  const teams = createTeams({ database, home, clock: Date.now, look })
  const trust = createTrust(database, {
    clock: Date.now,
    look,
    onChange: () => skillPrograms.refresh(),
  })
  const skillPrograms = createSkillPrograms({
    entry: fileURLToPath(new URL('skill.js', import.meta.url)),
    env: config.shellEnv,
    isTrusted: trust.isTrusted,
    diagnose: diagnostics.diagnose,
  })
  const processLimits = openProcessLimits(config.processLimits)
  diagnostics.note('limits for what runs in a shell', { ...processLimits.inForce('long') })
  const hosts = openHosts({
    config,
    store,
    teams,
    trust,
    skillPrograms,
    models: models.value,
    processLimits,
    diagnostics,
    look,
  })
  const ending = endOnce(async (shells) => {
    stopIdle()
    stopLogs()
    stopKeys()
    stopNet()
    removeServerInfo(home)
    await hosts.close(shells)
    await http.close()
    looker.close()
    await store.close()
    release()
  })
  const http = await open(config, {
    hosts,
    teams,
    trust,
    shellResults: createShellResults({ store, home, clock: Date.now }),
    skills: (folder) => skillsFor(folder, { trust, env: config.shellEnv, look }),
    stats: createStats({ store, clock: Date.now }),
    token,
    version: TANDEM_VERSION,
    model: () => models.value.initial.model,
    models: models.value.list,
    limits: () => processLimits.inForce('long').says,
    shutdown: ({ shells }) => void ending.end(shells),
    diagnostics: diagnostics.note,
    now: () => performance.now(),
  }).catch(async (error: unknown) => {
    await store.close()
    throw error
  })
  const stopIdle = watchIdle({ idleMs: config.idleMs, http, hosts, end: () => ending.end('keep') })
  const { diagnose } = diagnostics
  const stopKeys = forgetKeys({ store, clock: Date.now, diagnose })
  const stopLogs = watchLogs({ home, letGo: hosts.forgetOutput, diagnose })
  const url = `http://127.0.0.1:${http.port}`
  writeServerInfo(home, { url, pid: process.pid, version: TANDEM_VERSION })
  hosts.resume().catch((error: unknown) => diagnose('sessions could not be resumed', error))
  return {
    url,
    token: token.current(),
    pid: process.pid,
    startUrl: http.startUrl(),
    tokenFile: join(home, tokenFile),
    attached: false,
    closed: ending.ended,
    close: () => ending.end('keep'),
  }
}

async function open(config: Config, deps: Parameters<typeof listen>[0]): Promise<HttpServer> {
  const { port } = config
  const wanted = { port: port ?? rememberedPort(config.home), demanded: port !== null }
  const listening = await listen(deps, wanted)
  if (!listening.ok) throw new StartError('port', listening.error.message)
  return listening.value
}

function makeFolder(home: string): void {
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 })
  } catch (cause) {
    throw new StartError('folder', `cannot make the data folder ${home}. Set TANDEM_HOME.`, {
      cause,
    })
  }
}

function endOnce(work: (shells: 'keep' | 'end') => Promise<void>): {
  end(shells: 'keep' | 'end'): Promise<void>
  ended: Promise<void>
} {
  let ending: Promise<void> | null = null
  let resolve: () => void = () => undefined
  const ended = new Promise<void>((done) => {
    resolve = done
  })
  return {
    end: (shells) => (ending ??= work(shells).finally(resolve)),
    ended,
  }
}
