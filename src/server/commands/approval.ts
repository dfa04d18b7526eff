import { realpath } from 'node:fs/promises'
import { type Rule, RuleId } from '../../protocol/events/rule.ts'
import { approval as command } from '../../session/commands/settings.ts'
import { actionName } from '../../session/commands/grammar.ts'
import { isSound } from '../../session/policy/rules/rule.ts'
import { type EdgeSession, failed, told, withArguments } from './edge-answer.ts'

/** `/approval`: the mode, and the standing yeses that count here; revokes one of the folder. */
export const approvalCommand = withArguments(command, async (args, session) => {
  const folder = await realpath(session.workspace).catch(() => session.workspace)
  return args.get(actionName) === 'rm'
    ? revoke(session, { folder, id: args.get('rule') ?? '' })
    : told(approvalText(session, folder))
})

function revoke({ rules }: EdgeSession, { folder, id }: { folder: string; id: string }) {
  const isHere = rules.list(folder).some((rule) => rule.id === id)
  const revoked = isHere ? rules.revoke(RuleId.parse(id)) : null
  if (revoked === null) return failed(`No rule of this session or folder is called ${id}.`)
  return told(`Revoked: ${revoked.words}.`)
}

function approvalText(session: EdgeSession, folder: string): string {
  const { approval, rules = [], settings = [] } = session.view()
  const ofFolder = session.rules.list(folder)
  return [
    `mode  ${approval}`,
    ...listed('for the rest of this session', rules),
    ...listed('always in this folder', ofFolder),
    ...(settings.length > 0 ? ['while this shell has these settings:'] : []),
    ...settings.map(({ words }) => `- ${words}`),
    ...(settings.length > 0 ? ['Revoke them: /approval rm settings'] : []),
    ...(rules.length + ofFolder.length > 0 ? ['Revoke one: /approval rm <rule>'] : ['no rules']),
  ].join('\n')
}

function listed(scope: string, rules: readonly Rule[]): readonly string[] {
  if (rules.length === 0) return []
  return [`${scope}:`, ...rules.map((rule) => `- ${rule.id}  ${rule.words}${unsound(rule)}`)]
}

function unsound(rule: Rule): string {
  return isSound(rule) ? '' : ' (ignored: it fails its own examples)'
}
