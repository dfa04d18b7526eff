import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { limits } from '../../protocol/limits.ts'
import { createInputHelp } from '../complete/input-help.ts'
import type { Config } from '../config.ts'
import { createHosts, type OwnedHosts } from './hosts.ts'
import type { LookAt } from '../looker/ops.ts'
import type { Models } from '../model/models.ts'
import { createOneShots } from '../one-shot/one-shots.ts'
import { createTeamSlots } from '../one-shot/slots.ts'
import type { Diagnostics } from '../process/diagnostics.ts'
import { createOrganisation } from '../policy/organisation-file.ts'
import type { ProcessLimits } from '../process/process-limits.ts'
import { withSkillBin, type SkillPrograms } from '../skills/skill-program.ts'
import type { EventStore } from '../store/store.ts'
import type { Teams } from '../teams/teams.ts'
import { markPrefix } from '../terminal/start/end-strays.ts'
import { createTerminal } from '../terminal/create-terminal.ts'
import { pickShell } from '../terminal/integration/pick-shell.ts'
import { shareEmulator } from '../terminal/emulator/worker/shared-emulator.ts'
import { factsOf, createGatherWorld, localZone } from '../world/world.ts'
import type { FolderRules } from '../world/folder-rules.ts'
import type { Trust } from '../world/trusted-folders.ts'

export interface HostParts {
  config: Config
  store: EventStore
  teams: Teams
  trust: Trust
  rules: FolderRules
  skillPrograms: SkillPrograms
  models: Models
  processLimits: ProcessLimits
  diagnostics: Diagnostics
  look: LookAt
}

/** The sessions, with all that they need of this machine. */
export function openHosts(parts: HostParts): OwnedHosts {
  const { config, store, teams, trust, rules, models, processLimits, diagnostics, look } = parts
  const slotsOf = createTeamSlots(limits.oneShotsAtOnce)
  const holderEntry = fileURLToPath(new URL('holder.js', import.meta.url))
  const emulator = shareEmulator({
    entry: fileURLToPath(new URL('emulator.js', import.meta.url)),
    diagnose: diagnostics.diagnose,
  })
  const shell = pickShell(config.shell)
  const organisation = createOrganisation(diagnostics.note)
  const hosts = createHosts({
    store,
    home: config.home,
    limits: config.limits,
    approval: config.approval,
    workspace: process.cwd(),
    models,
    organisation,
    gather: createGatherWorld({ teams, trust, env: config.shellEnv, look, organisation }),
    commands: { store, models, teams, trust, rules, look },
    inputHelp: createInputHelp({
      store,
      models,
      tasks: teams.tasks,
      shell: shell.ok ? shell.value : 'bash',
      env: config.shellEnv,
      look,
    }),
    facts: ({ workspace }, gathered, dialect) =>
      factsOf({ ...gathered, ...nowAndHere(), workspace, shell: config.shell, dialect }),
    openTerminal(place, heard) {
      const terminal = createTerminal({
        folder: place.folder,
        shell: config.shell,
        env: config.shellEnv,
        bin: parts.skillPrograms.open(place),
        markPrefix: markPrefix(config.home),
        holderEntry,
        ...heard,
        limit: (file, args) => processLimits.limitedCommand(file, args, 'long'),
        startMs: config.startMs,
        emulator,
        findStart: (wanted) => look('start', wanted),
        diagnose: diagnostics.diagnose,
      })
      return {
        ...terminal,
        detach() {
          parts.skillPrograms.close(place.folder)
          return terminal.detach()
        },
      }
    },
    openOneShots: ({ folder, team, workspace }) =>
      createOneShots({
        folder,
        workspace,
        shell: config.shell,
        env: withSkillBin(config.shellEnv, folder),
        slots: slotsOf(team),
        limit: processLimits.limitedCommand,
        diagnose: diagnostics.diagnose,
      }),
    idleMs: config.sessionIdleMs,
    diagnose: diagnostics.diagnose,
    clock: Date.now,
    uuid: randomUUID,
  })
  return {
    ...hosts,
    async close(shells) {
      await hosts.close(shells)
      await emulator.close()
    },
  }
}

const nowAndHere = () => ({ at: Date.now(), zone: localZone() })
