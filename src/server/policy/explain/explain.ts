import { realpath } from 'node:fs/promises'
import type { Verdict } from '../../../session/policy/verdict.ts'
import { type Config, readConfig } from '../../config.ts'
import type { Rule } from '../../../protocol/events/rule.ts'
import type { Organisation } from '../../../protocol/organisation.ts'
import { readOrganisation } from '../organisation-file.ts'
import { folderRulesIn } from '../../world/folder-rules.ts'
import { isTrustedIn } from '../../world/trusted-folders.ts'
import { openExplainedShell } from './open-explained-shell.ts'

export interface ExplainOptions {
  /** The data folder. */
  home: string
  /** The workspace, in which the shell starts. */
  folder: string
  holderEntry: string
  /** Another shell than the one that is set. */
  shell?: string | undefined
  /** The folder counts as trusted, whatever the data folder says. */
  trust?: boolean | undefined
}

/** The place that commands are explained in. */
export interface ExplainPlace {
  config: Config
  workspace: string
  isTrusted: boolean
  rules: readonly Rule[]
  organisation: Organisation | null
  holderEntry: string
}

export async function explainPlace(options: ExplainOptions): Promise<ExplainPlace> {
  const { home, shell, trust, holderEntry } = options
  const workspace = await realpath(options.folder)
  const isTrusted = trust === true || isTrustedIn(home, workspace)
  const config = readConfig({ home, shell }, process.env)
  const rules = folderRulesIn(home, workspace)
  const { organisation } = await readOrganisation()
  return { config, workspace, isTrusted, rules, organisation, holderEntry }
}

/**
 * The verdict that a model's command would get in a new shell in this folder. Nothing of it runs, and no server is needed:
 * the shell is one of its own, which ends with the answer.
 */
export async function explain(
  command: string,
  options: ExplainOptions,
): Promise<{ verdict: Verdict; place: ExplainPlace }> {
  const place = await explainPlace(options)
  const shell = await openExplainedShell(place)
  try {
    return { verdict: await shell.judge(command, place.config.approval), place }
  } finally {
    await shell.close()
  }
}
