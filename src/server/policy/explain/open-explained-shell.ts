import { randomUUID } from 'node:crypto'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { RunOutcome } from '../../../protocol/events/run.ts'
import type { ApprovalMode } from '../../../protocol/events/approval-mode.ts'
import type { Rule } from '../../../protocol/events/rule.ts'
import type { Organisation } from '../../../protocol/organisation.ts'
import type { Verdict } from '../../../session/policy/verdict.ts'
import type { Config } from '../../config.ts'
import { openProcessLimits } from '../../process/process-limits.ts'
import { skillBin, writeSkillProgram } from '../../skills/skill-program.ts'
import { createTerminal } from '../../terminal/create-terminal.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { judgeNow } from '../judge-now.ts'
import { createSessionTasks } from '../session-tasks.ts'
import { createKnownNames } from './known-names.ts'

export interface ExplainedShellOptions {
  config: Pick<Config, 'shell' | 'shellEnv' | 'startMs' | 'processLimits'>
  /** The workspace without links, in which the shell starts. */
  workspace: string
  isTrusted: boolean
  rules: readonly Rule[]
  organisation: Organisation | null
  holderEntry: string
}

/** A shell that is there only to be asked what a model's command would do in it. */
export interface ExplainedShell {
  /** Runs commands in it, one after the other; they may take so long together. */
  run(commands: readonly string[], limitMs: number): Promise<void>
  judge(command: string, approval: ApprovalMode): Promise<Verdict>
  /** Asks the shell at once for all names that these commands have. */
  prepare(commands: readonly string[]): Promise<void>
  close(): Promise<void>
}

/** Nobody reads what is printed there. */
const logCaps = { sessionBytes: 1024 * 1024, runBytes: 256 * 1024 }
/** A shell that has an answer has it sooner. */
const askMs = 5_000

/** Starts a shell as a session would; the error is a sentence. */
export async function openExplainedShell(options: ExplainedShellOptions): Promise<ExplainedShell> {
  const { config, workspace, isTrusted, rules, organisation } = options
  const temp = await realpath(await mkdtemp(join(tmpdir(), 'tandem-explain-')))
  let isOver = false
  const terminal = terminalIn(join(temp, 'session'), options, () => {
    isOver = true
  })
  const close = async () => {
    await terminal.close()
    await rm(temp, { recursive: true, force: true })
  }
  const started = await terminal.start({ generation: 1, cwd: workspace }).catch(async (error) => {
    await close()
    throw error
  })
  if (!started.ok) {
    await close()
    throw new Error(started.error)
  }
  let isKnown = true
  /** The time from which on something may have run in it. */
  let opened: number | undefined
  const tasks = createSessionTasks(temp)
  const names = createKnownNames(async (wanted) =>
    isKnown && !isOver ? inTime(askMs, terminal.liveState(wanted)) : null,
  )
  const factsNow = async (approval: ApprovalMode) => ({
    approval,
    workspace,
    cwd: await realpath(terminal.cwd() ?? '').catch(() => null),
    shell: isOver ? null : started.value.shell,
    home: config.shellEnv['HOME'] ?? null,
    isTrusted,
    rules,
    organisation,
    ...(opened !== undefined && { opened, watch: tasks.watch(noCall) }),
  })
  return {
    close,
    async run(commands, limitMs) {
      names.forget()
      opened ??= Date.now()
      await tasks.begin(workspace, opened)
      isKnown = (await inTime(limitMs, runAll(terminal, commands))) === true
    },
    judge: async (command, approval) => judgeNow(command, await factsNow(approval), names.ask),
    prepare: async (commands) => names.prepare(commands, await factsNow('guarded')),
  }
}

function terminalIn(
  folder: string,
  { config, workspace, isTrusted, holderEntry }: ExplainedShellOptions,
  onShellEnd: () => void,
): Terminal {
  const { shell, shellEnv, startMs, processLimits } = config
  const entry = join(dirname(holderEntry), 'skill.js')
  writeSkillProgram({ folder, entry, place: { workspace, trusted: isTrusted, env: shellEnv } })
  const limits = openProcessLimits(processLimits)
  return createTerminal({
    folder,
    shell,
    env: shellEnv,
    bin: skillBin(folder),
    holderEntry,
    startMs,
    logCaps,
    limit: (file, args) => limits.limitedCommand(file, args, 'long'),
    onShellEnd,
  })
}

/** Nobody agrees to anything there: no call has to be told from another. */
const noCall = 0

const unwatched = {
  signal: new AbortController().signal,
  onOutput: () => undefined,
  onTimeout: () => undefined,
  onStatus: () => undefined,
}

/** Runs all of them as a person would, without a trace in the history. False when one is not known to have ended. */
async function runAll(terminal: Terminal, commands: readonly string[]): Promise<boolean> {
  for (const command of commands.filter((each) => each.trim() !== '')) {
    const outcome = await new Promise<RunOutcome | null>((resolve, reject) => {
      const run = { id: `sh-${randomUUID()}`, command, private: true, timeoutMs: 0 }
      // Nobody is there to type anything.
      const watch = { ...unwatched, onWaits: () => resolve(null) }
      terminal.run({ ...run, by: 'person' }, watch).then((end) => resolve(end.outcome), reject)
    })
    if (outcome !== 'ended') return false
  }
  return true
}

/** The answer, if it comes in time; else null. */
function inTime<T>(ms: number, answer: Promise<T>): Promise<T | null> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms, null)
    answer.then(resolve, () => resolve(null)).finally(() => clearTimeout(timer))
  })
}
