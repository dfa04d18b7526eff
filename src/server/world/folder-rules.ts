import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { Rule, type RuleId } from '../../protocol/events/rule.ts'
import { limits } from '../../protocol/limits.ts'
import { isSound } from '../../session/policy/rules/rule.ts'
import { connect, type Database, toText } from '../store/database.ts'

/** The standing yeses that people gave for a folder. No file of a workspace has a say in them. */
export interface FolderRules {
  /** Those that count in this very workspace; links followed. */
  of(folder: string): readonly Rule[]
  /** Those of one folder, or of all. */
  list(folder?: string): readonly Rule[]
  keep(rule: Rule): void
  /** The rule that counts no longer; null when there is none of this id. */
  revoke(id: RuleId): Rule | null
}

const RuleRow = z.object({ id: z.string(), body: z.string() })
const byFolder = 'SELECT id, body FROM rules WHERE folder = :folder ORDER BY at'

type Warn = (message: string) => void

export function createFolderRules(database: Database, warn: Warn): FolderRules {
  const warned = new Set<string>()
  const warnOnce: Warn = (message) => {
    if (!warned.has(message)) warn(message)
    warned.add(message)
  }
  const list = (folder?: string) =>
    readRules(
      folder === undefined
        ? database.all(RuleRow, 'SELECT id, body FROM rules ORDER BY folder, at')
        : database.all(RuleRow, byFolder, { folder: toText(folder) }),
      warnOnce,
    )
  return {
    of: (folder) => counting(list(folder), folder, warnOnce),
    list,
    keep(rule) {
      const { id, folder, at } = rule
      database.run('INSERT OR IGNORE INTO rules VALUES (:id, :folder, :at, :body)', {
        id,
        folder: toText(folder),
        at,
        body: JSON.stringify(rule),
      })
      // The oldest go: what they were for is asked about again.
      const oldest =
        'SELECT id FROM rules WHERE folder = :folder ORDER BY at DESC LIMIT -1 OFFSET :kept'
      database.run(`DELETE FROM rules WHERE id IN (${oldest})`, {
        folder: toText(folder),
        kept: limits.folderRules,
      })
    },
    revoke(id) {
      const rule = list().find((each) => each.id === id) ?? null
      return database.run('DELETE FROM rules WHERE id = :id', { id }) > 0 ? rule : null
    },
  }
}

/** The same where no server runs; a data folder without a database has none. */
export function folderRulesIn(home: string, folder: string): readonly Rule[] {
  const file = join(home, 'tandem.db')
  if (!existsSync(file)) return []
  const database = connect({ file })
  try {
    const table = "SELECT name FROM sqlite_master WHERE type = 'table' AND name = 'rules'"
    if (database.get(z.object({ name: z.string() }), table) === null) return []
    const silent: Warn = () => undefined
    const rows = database.all(RuleRow, byFolder, { folder: toText(folder) })
    return counting(readRules(rows, silent), folder, silent)
  } finally {
    database.close()
  }
}

function readRules(rows: readonly z.infer<typeof RuleRow>[], warn: Warn): readonly Rule[] {
  return rows.flatMap(({ id, body }) => {
    const rule = Rule.safeParse(parsed(body))
    if (!rule.success || rule.data.id !== id) warn(`the rule ${id} cannot be read, and is ignored`)
    return rule.success && rule.data.id === id ? [rule.data] : []
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** A rule that fails its own examples, or was put under another folder, counts for nothing. */
function counting(rules: readonly Rule[], folder: string, warn: Warn): readonly Rule[] {
  return rules.filter((rule) => {
    const counts = rule.scope === 'folder' && rule.folder === folder && isSound(rule)
    if (!counts) warn(`the rule ${rule.id} fails its own examples, and is ignored`)
    return counts
  })
}
