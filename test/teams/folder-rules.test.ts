import { expect, test } from 'vitest'
import type { Rule } from '../../src/protocol/events/rule.ts'
import { limits } from '../../src/protocol/limits.ts'
import { folderRulesIn } from '../../src/server/world/folder-rules.ts'
import { openTestTeams } from '../support/teams.ts'

const rule: Rule = {
  id: 'rule-00000001',
  scope: 'folder',
  program: 'npm',
  args: ['ci'],
  kinds: ['code'],
  folder: '/project',
  cwd: '/project',
  words: 'exactly `npm ci`, in this folder',
  matches: ['npm ci'],
  misses: ['npm', 'npm ci && ls'],
  by: { kind: 'user' },
  at: 1,
}

test('[APP71] a rule of a folder counts in that very folder, also after a restart, until it is revoked', async () => {
  const world = openTestTeams()
  world.rules.keep(rule)
  const { rules, home } = await world.again()
  expect(rules.of('/project')).toEqual([rule])
  expect(folderRulesIn(home, '/project')).toEqual([rule])
  for (const other of ['/', '/project/src', '/project2'])
    expect([rules.of(other), folderRulesIn(home, other)]).toEqual([[], []])
  expect(rules.revoke('rule-00000002')).toBe(null)
  expect(rules.revoke(rule.id)).toEqual(rule)
  expect(rules.of('/project')).toEqual([])
  expect(folderRulesIn(`${home}-none`, '/project')).toEqual([])
})

test('[APP70] a rule that fails its own examples when it is read, or is no rule, is ignored with a warning', () => {
  const { rules, warnings, database } = openTestTeams()
  rules.keep({ ...rule, args: ['install'] })
  rules.keep({ ...rule, id: 'rule-00000002', misses: ['npm ci'] })
  rules.keep({ ...rule, id: 'rule-00000003', program: 'sh', args: ['x'], matches: ['sh x'] })
  database.exec("INSERT INTO rules VALUES ('rule-00000004', '\"/project\"', 1, '{')")
  expect(rules.of('/project')).toEqual([])
  expect(rules.of('/project')).toEqual([])
  expect(warnings).toEqual([
    'the rule rule-00000004 cannot be read, and is ignored',
    ...[1, 2, 3].map((n) => `the rule rule-0000000${n} fails its own examples, and is ignored`),
  ])
})

test('[APP71] the oldest rules of a folder give way when there are very many', () => {
  const { rules } = openTestTeams()
  const idOf = (at: number) => `rule-${at.toString(16).padStart(8, '0')}`
  for (let at = 0; at < limits.folderRules + 3; at += 1) rules.keep({ ...rule, id: idOf(at), at })
  const kept = rules.list('/project')
  expect(kept).toHaveLength(limits.folderRules)
  expect(kept[0]?.id).toBe(idOf(3))
})
