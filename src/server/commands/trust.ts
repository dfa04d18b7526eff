import type { ToolRequest } from '../../protocol/call.ts'
import { actionName } from '../../session/commands/grammar.ts'
import { trust as command } from '../../session/commands/trust.ts'
import type { SkillInfo } from '../../protocol/skill.ts'
import { skillsText } from '../skills/skills-text.ts'
import type { Trust } from '../trust.ts'
import { changed, type EdgeAnswer, failed, readArguments, told } from './edge-answer.ts'

export interface TrustCommandDeps {
  trust: Trust
  /** The session’s: what is trusted. */
  workspace: string
  /** Those that count now. */
  skills(): Promise<readonly SkillInfo[]>
}

/** `/trust`: whether the project’s own files have a say. */
export function trustCommand(deps: TrustCommandDeps): (call: ToolRequest) => Promise<EdgeAnswer> {
  return async (call) => {
    const read = readArguments(command, call)
    if (!read.ok) return read.error
    switch (read.value.get(actionName) ?? '') {
      case 'revoke':
        return revoke(deps)
      case 'list':
        return told(trustText(deps.trust))
      default:
        return grant(deps)
    }
  }
}

async function grant({ trust, workspace, skills }: TrustCommandDeps): Promise<EdgeAnswer> {
  if (await trust.isTrusted(workspace)) return told(`${workspace} is trusted already.`)
  const trusted = await trust.trust(workspace)
  if (!trusted.ok) return failed(trusted.error.message)
  const said = `${trusted.value} is trusted: its skills, command files and settings count now.`
  // The model was told of those that were there when the session began.
  const own = (await skills()).filter(({ source }) => source === 'project')
  return changed(own.length === 0 ? said : `${said}\n${skillsText(own)}`)
}

async function revoke({ trust, workspace }: TrustCommandDeps): Promise<EdgeAnswer> {
  const wasListed = await trust.revoke(workspace)
  if (await trust.isTrusted(workspace))
    return failed(`${workspace} is still trusted, as part of another folder: see /trust list.`)
  if (!wasListed) return told(`${workspace} is not trusted.`)
  return changed(`${workspace} is no longer trusted: its own files have no say any more.`)
}

function trustText(trust: Trust): string {
  const folders = trust.list().map(({ path }) => path)
  return folders.length === 0 ? 'No folder is trusted.' : `Trusted:\n${folders.join('\n')}`
}
