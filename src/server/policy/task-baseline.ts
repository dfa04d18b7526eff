import { createHash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { z } from 'zod'
import { replaceFile } from '../files/replace-file.ts'
import { changeWords, isTaskFile } from '../../session/policy/task-files.ts'
import { foldersUpTo } from './project.ts'

const Entry = z.object({ hash: z.string(), text: z.string().nullable() })
const Entries = z.record(z.string(), Entry)
type Entry = z.infer<typeof Entry>

/** The files of tasks as they were at a moment; null for one that was gone. */
export type TaskFiles = ReadonlyMap<string, Entry | null>

/** A text longer than this is compared, and not shown. */
const maxText = 64 * 1024
const maxBytes = 1024 * 1024
/** Folders below those above in which tools look for settings by themselves. */
const below = ['test', 'tests']

export interface TaskBaselineOptions {
  /** The file in which it is kept, in the session's folder: it goes with the session. */
  file: string
  workspace: string
  /** The time at which the session began. */
  since: number
}

export type TaskBaseline = ReturnType<typeof createTaskBaseline>

/**
 * The files that declare and configure tasks, as they were when the session began or a person last said yes to a task. One
 * that was not looked at before counts as unchanged only if the file system says that nothing touched it since.
 */
export function createTaskBaseline({ file, workspace, since }: TaskBaselineOptions) {
  let known: Map<string, Entry> | null = null

  async function load(): Promise<Map<string, Entry>> {
    known ??= await readFile(file, 'utf8')
      .then((text) => new Map(Object.entries(Entries.parse(JSON.parse(text)))))
      .catch(() => new Map<string, Entry>())
    return known
  }

  function save(entries: ReadonlyMap<string, Entry>): void {
    replaceFile(file, JSON.stringify(Object.fromEntries(entries)), { mode: 0o600 })
  }

  /** Keeps those files as they are that are still as they were when the session began. */
  async function note(paths: Iterable<string>): Promise<void> {
    const entries = await load()
    let isMore = false
    for (const path of paths) {
      if (entries.has(path) || !isTaskFile(basename(path))) continue
      const found = await lookAtFile(path)
      if (found === null || found.changedAt >= since || entries.has(path)) continue
      entries.set(path, found.entry)
      isMore = true
    }
    if (isMore) save(entries)
  }

  /** The changes at a folder and above it, in words, and the files as they are now. */
  async function changesAt(
    folder: string,
  ): Promise<{ changes: readonly string[]; files: TaskFiles }> {
    const entries = await load()
    const folders = foldersUpTo(folder, workspace).flatMap((each) => [
      each,
      ...below.map((name) => join(each, name)),
    ])
    const listed = await Promise.all(folders.map(taskFilesIn))
    const paths = new Set([
      ...listed.flat(),
      ...[...entries.keys()].filter((path) => folders.includes(dirname(path))),
    ])
    const files = new Map<string, Entry | null>()
    const changes: string[] = []
    await note(paths)
    for (const path of paths) {
      const before = entries.get(path) ?? null
      const after = (await lookAtFile(path))?.entry ?? null
      files.set(path, after)
      if (before?.hash === after?.hash) continue
      changes.push(
        changeWords(
          relative(workspace, path),
          before?.text ?? null,
          after === null ? null : (after.text ?? ''),
        ),
      )
    }
    return { changes, files }
  }

  return {
    note,
    changesAt,
    /** A person has seen the files like this, and said yes. */
    async accept(files: TaskFiles): Promise<void> {
      const entries = await load()
      for (const [path, entry] of files)
        if (entry === null) entries.delete(path)
        else entries.set(path, entry)
      save(entries)
    },
  }
}

async function taskFilesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => [])
  return names.filter(isTaskFile).map((name) => join(folder, name))
}

async function lookAtFile(path: string): Promise<{ entry: Entry; changedAt: number } | null> {
  const found = await stat(path).catch(() => null)
  if (found === null) return null
  if (!found.isFile() || found.size > maxBytes)
    return {
      entry: { hash: `${found.ino} ${found.size} ${found.ctimeMs}`, text: null },
      changedAt: found.ctimeMs,
    }
  const bytes = await readFile(path).catch(() => null)
  if (bytes === null) return null
  const hash = createHash('sha256').update(bytes).digest('hex')
  const text = bytes.length > maxText ? null : bytes.toString('utf8')
  return { entry: { hash, text }, changedAt: found.ctimeMs }
}
