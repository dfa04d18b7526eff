import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import type { Facts } from '../../src/session/policy/facts.ts'

const corpus = 'test/policy/corpus'

/** A trusted folder with a few files, a repository and tasks, in which commands are judged. */
export function createTrialFolder(): { facts: Omit<Facts, 'files' | 'live'>; remove(): void } {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-trial-')))
  const workspace = join(home, 'shop')
  const files = z
    .record(z.string(), z.string())
    .parse(JSON.parse(readFileSync(join(corpus, 'workspace.json'), 'utf8')))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(workspace, path)), { recursive: true })
    writeFileSync(join(workspace, path), text)
  }
  execFileSync('git', ['init', '-q', workspace])
  return {
    facts: {
      approval: 'guarded',
      workspace,
      cwd: workspace,
      shell: 'bash',
      home,
      isTrusted: true,
    },
    remove: () => rmSync(home, { recursive: true, force: true }),
  }
}

const Line = z.object({ command: z.string() })

/** The commands of a file: a line each, as JSON, behind a tab, or as they are. */
export function commandsIn(path: string): readonly string[] {
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  if (path.endsWith('.jsonl')) return lines.map((line) => Line.parse(JSON.parse(line)).command)
  return lines.map((line) => (path.endsWith('.tsv') ? line.slice(line.indexOf('\t') + 1) : line))
}
