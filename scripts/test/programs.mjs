// Before system tests: a folder with every program of this machine, but those of `packages` in folders of their own.
// A file that uses one without a `// needs:` line thus fails wherever it runs, and not only where that is missing.
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { findProgram, programFolders } from './find-program.mjs'
import { packages } from './packages.mjs'

export function setup() {
  // Several projects of one run share it.
  if (process.env.TANDEM_TEST_PROGRAMS !== undefined) return undefined
  const root = mkdtempSync(join(tmpdir(), 'test-programs-'))
  // Some tests run as another user.
  chmodSync(root, 0o755)
  const special = Object.keys(packages).filter((name) => !name.startsWith('/'))
  for (const name of special) {
    const path = findProgram(name)
    if (path !== null) link(join(root, name), name, path)
  }
  const seen = new Set(special)
  for (const folder of programFolders.slice(0, -2))
    for (const name of namesIn(folder).filter((each) => !seen.has(each))) {
      seen.add(name)
      link(join(root, 'others'), name, join(folder, name))
    }
  process.env.TANDEM_TEST_PROGRAMS = root
  return () => rmSync(root, { recursive: true, force: true })
}

/** The search path of a file that needs these. */
export function searchPath(root, needs) {
  return [...new Set([...needs, 'others'])].map((name) => join(root, name)).join(delimiter)
}

function link(folder, name, to) {
  mkdirSync(folder, { recursive: true })
  symlinkSync(to, join(folder, name))
}

function namesIn(folder) {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
