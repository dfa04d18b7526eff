import type { OwnedHosts } from './hosts/hosts.ts'
import { type HttpServer, listen } from './http/server.ts'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Config, type Flags, readConfig } from './config.ts'
import { createLogCare } from './damage/log-care.ts'
import { openHosts } from './hosts/open-hosts.ts'
import { openAccess } from './access/open-access.ts'
import { createLooker } from './looker/looker.ts'
import type { LookAt } from './looker/ops.ts'
import { openKeyStore } from './model/keys/key-store.ts'
import { createModels, type Models } from './model/models.ts'
import { withPrices } from './model/prices.ts'
import { keysFile, makeDataFolder, StartError, tokenFile } from './process/data-folder.ts'
import { createDiagnostics, catchRejections, type Diagnostics } from './process/diagnostics.ts'
import {
  attachTo,
  takeFolder,
  type RunningServer,
  readServerInfo,
  rememberedPort,
  removeServerInfo,
  writeServerInfo,
} from './process/one-server.ts'
import { openProcessLimits } from './process/process-limits.ts'
import { createSkillPrograms } from './skills/skill-program.ts'
import { createReadAudit } from './pages/read-audit.ts'
import { createStats } from './stats/stats.ts'
import type { Database } from './store/database.ts'
import { createSqliteStore, openMigrated, forgetKeys } from './store/sqlite.ts'
import { createTeams } from './teams/teams.ts'
import { createShellResults } from './teams/shell-results.ts'
import { watchLogs } from './terminal/byte-log/cap-logs.ts'
import { createFolderRules } from './world/folder-rules.ts'
import { createTrust } from './world/trusted-folders.ts'
import { skillsFor } from './world/world.ts'

export interface IdleDeps {
  /** 0 = never. */
  idleMs: number
  http: Pick<HttpServer, 'idleSince'>
  hosts: Pick<OwnedHosts, 'isBusy'>
  end(): Promise<void>
}

/** Ends a server that nobody is connected to and that has no run or turn under way. */
function watchIdle({ idleMs, http, hosts, end }: IdleDeps): () => void {
  if (idleMs === 0) return () => undefined
  const timer = setInterval(
    () => {
      const since = http.idleSince()
      if (since === null || hosts.isBusy() || performance.now() - since < idleMs) return
      clearInterval(timer)
      void end()
    },
    Math.min(idleMs, 30_000),
  )
  timer.unref()
  return () => clearInterval(timer)
}

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
  makeDataFolder(home)
  const lock = await takeFolder(home, { replace: options.replace ?? false })
  if (lock === null) return attachTo(home)
  try {
    return await start(config, { release: lock.release, ownsProcess: options.ownsProcess ?? false })
  } catch (error) {
    lock.release()
    throw error
  }
}

/** So long a start waits to learn which models there are; whoever is slower counts from then on. */
const startMs = 1_000

async function openModels({ home, models }: Config, note: Diagnostics['note']): Promise<Models> {
  const keys = await openKeyStore(join(home, keysFile))
  if (keys.problem !== undefined) note(keys.problem)
  const opened = await createModels(models, { keys })
  if (!opened.ok) throw new StartError('config', opened.error)
  return opened.value
}

async function start(
  config: Config,
  { release, ownsProcess }: { release: () => void; ownsProcess: boolean },
): Promise<RunningServer> {
  const { home } = config
  const diagnostics = createDiagnostics(join(home, 'diagnostics.jsonl'), Date.now)
  const stopNet = ownsProcess ? catchRejections(diagnostics.diagnose) : () => undefined
  const models = await openModels(config, diagnostics.note)
  // A server that was killed left its address: whoever took its port since may have been sent the token.
  const isUnclean = readServerInfo(home) !== null
  const access = await openAccess(home, { ...diagnostics, isTokenKept: !isUnclean })
  const database = openMigrated({ file: join(home, 'tandem.db') })
  const store = createSqliteStore(database)
  const looker = createLooker({ entry: entryOf('looker'), diagnose: diagnostics.diagnose })
  const { look } = looker
  const shared = openShared(config, { ...diagnostics, database, look })
  const processLimits = openProcessLimits(config.processLimits)
  diagnostics.note('limits for what runs in a shell', { ...processLimits.inForce('long') })
  const hosts = openHosts({
    ...shared,
    config,
    store,
    models: withPrices(models, config.prices ?? {}),
    processLimits,
    diagnostics,
    look,
  })
  await models.settled(startMs)
  const care = createLogCare({ home, entry: entryOf('examine'), diagnostics })
  const ending = endOnce(async (shells) => {
    for (const stop of [...watches, stopNet]) stop()
    removeServerInfo(home)
    try {
      await hosts.close(shells)
      await http.close()
    } finally {
      looker.close()
      care.close()
      await store.close().finally(release)
    }
  })
  const http = await open(config, {
    hosts,
    ...shared,
    shellResults: createShellResults({ store, home, clock: Date.now }),
    skills: (folder) => skillsFor(folder, { trust: shared.trust, env: config.shellEnv, look }),
    stats: createStats({ store, clock: Date.now }),
    audit: createReadAudit(store),
    ...access,
    care,
    version: TANDEM_VERSION,
    models,
    limits: () => processLimits.inForce('long').says,
    shutdown: ({ shells }) => void ending.end(shells),
    diagnostics: diagnostics.note,
  }).catch(async (error: unknown) => {
    await store.close()
    throw error
  })
  const { diagnose } = diagnostics
  const watches = [
    watchIdle({ idleMs: config.idleMs, http, hosts, end: () => ending.end('keep') }),
    forgetKeys({ store, clock: Date.now, diagnose }),
    watchLogs({ home, letGo: hosts.forgetOutput, diagnose }),
  ]
  const url = `http://127.0.0.1:${http.port}`
  writeServerInfo(home, { url, pid: process.pid, version: TANDEM_VERSION })
  if (isUnclean) care.check()
  hosts.resume().catch((error: unknown) => diagnose('sessions could not be resumed', error))
  return {
    url,
    token: access.token.current(),
    pid: process.pid,
    startUrl: http.startUrl(),
    tokenFile: join(home, tokenFile),
    attached: false,
    closed: ending.ended,
    close: () => ending.end('keep'),
  }
}

/** A program of ours, bundled beside this one. */
const entryOf = (name: string) => fileURLToPath(new URL(`${name}.js`, import.meta.url))

interface SharedDeps {
  database: Database
  look: LookAt
  note(line: string): void
  diagnose(message: string, error: unknown): void
}

/** The parts that sessions share, beside their store. */
function openShared(config: Config, { database, look, note, diagnose }: SharedDeps) {
  const teams = createTeams({ database, home: config.home, clock: Date.now, look })
  const trust = createTrust(database, {
    clock: Date.now,
    look,
    onChange: () => skillPrograms.refresh(),
  })
  const skillPrograms = createSkillPrograms({
    entry: entryOf('skill'),
    env: config.shellEnv,
    isTrusted: trust.isTrusted,
    diagnose,
  })
  const rules = createFolderRules(database, note)
  return { teams, trust, rules, skillPrograms }
}

async function open(config: Config, deps: Parameters<typeof listen>[0]): Promise<HttpServer> {
  const { port } = config
  const { home } = config
  const wanted = { port: port ?? rememberedPort(home), demanded: port !== null, home }
  const listening = await listen(deps, wanted)
  if (!listening.ok) throw new StartError('port', listening.error.message)
  return listening.value
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
