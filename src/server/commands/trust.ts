import { actionName } from '../../session/commands/grammar.ts'
import { trust as command } from '../../session/commands/settings.ts'
import { skillsText } from '../world/world.ts'
import type { Trust } from '../world/trusted-folders.ts'
import {
  changed,
  type EdgeAnswer,
  type EdgeSession,
  failed,
  told,
  withArguments,
} from './edge-answer.ts'

/** `/trust`: whether the project’s own files have a say. */
export const trustCommand = withArguments(command, (args, session) => {
  switch (args.get(actionName) ?? '') {
    case 'revoke':
      return revoke(session)
    case 'list':
      return told(trustText(session.trust))
    default:
      return grant(session)
  }
})

async function grant({ trust, workspace, world }: EdgeSession): Promise<EdgeAnswer> {
  if (await trust.isTrusted(workspace)) return told(`${workspace} is trusted already.`)
  const trusted = await trust.trust(workspace)
  if (!trusted.ok) return failed(trusted.error.message)
  const said = `${trusted.value} is trusted: its skills, command files and settings count now.`
  // The model was told of those that were there when the session began; models of both dialects can read this.
  const own = (await world()).skills.filter(({ source }) => source === 'project')
  return changed(own.length === 0 ? said : `${said}\n${skillsText(own, 'tags')}`)
}

async function revoke({ trust, workspace }: EdgeSession): Promise<EdgeAnswer> {
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
