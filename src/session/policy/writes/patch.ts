import { effect, type Effect } from '../effect.ts'
import { joinPath } from '../paths.ts'
import type { Call } from '../calls/call.ts'
import { writesPath } from './write-path.ts'

/** A patch longer than this is read by nobody. */
const maxChars = 200_000

/** `git apply` with the patch in the command itself: each file that it names is judged. */
export function appliesPatch({
  judging,
  place,
}: Pick<Call, 'judging' | 'place'>): readonly Effect[] {
  const { text, cwds } = place
  const { workspace } = judging.facts
  if (text === undefined || cwds?.length !== 1 || cwds[0] !== workspace)
    return [effect('unclear', 'changes files by a patch that nobody can read here')]
  const paths = patchedPaths(text)
  return paths === null
    ? [effect('unclear', 'changes files by a patch that is not understood')]
    : paths.flatMap((path) => writesPath(judging, joinPath(workspace, path), 'add'))
}

/** The files that a patch changes or makes; null when it may do more: links, modes, deletions, odd names. */
export function patchedPaths(text: string): readonly string[] | null {
  if (text.length > maxChars) return null
  const reader = createReader()
  return text.split('\n').every(reader.take) ? reader.paths() : null
}

function createReader() {
  const paths: string[] = []
  /** The lines of the hunk that are still to come. */
  let left = { before: 0, after: 0 }
  const isWithin = () => left.before > 0 || left.after > 0

  function inHunk(line: string): boolean {
    const used = lineOf(line)
    if (used === null) return false
    left = { before: left.before - used.before, after: left.after - used.after }
    return true
  }

  function between(line: string): boolean {
    const hunk = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line)
    if (hunk !== null) {
      left = { before: Number(hunk[1] ?? 1), after: Number(hunk[2] ?? 1) }
      return true
    }
    const file = /^(?:---|\+\+\+) [^/\s"]+\/([\w@+.,/-]+)$/.exec(line)
    if (file?.[1] !== undefined) paths.push(file[1])
    return file !== null || line === '--- /dev/null' || isPlain(line)
  }

  return {
    take: (line: string): boolean => (isWithin() ? inHunk(line) : between(line)),
    paths: () => (isWithin() || paths.length === 0 ? null : paths),
  }
}

/** The lines of the old and the new file that a line of a hunk stands for. */
function lineOf(line: string): { before: number; after: number } | null {
  switch (line.charAt(0)) {
    case '-':
      return { before: 1, after: 0 }
    case '+':
      return { before: 0, after: 1 }
    case ' ':
    case '':
      return { before: 1, after: 1 }
    case '\\':
      return { before: 0, after: 0 }
    default:
      return null
  }
}

function isPlain(line: string): boolean {
  return /^$|^\\ No newline|^index [\da-f.]+(?: 100644)?$|^diff --git [\w@+.,/-]+ [\w@+.,/-]+$|^new file mode 100644$/.test(
    line,
  )
}
