import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createSessionTasks } from './session-tasks.ts'
import { createTaskBaseline } from './task-baseline.ts'

test('[APP72] the files of tasks are kept whole: who reads meanwhile reads the list as it was', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tandem-tasks-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const paths = ['Makefile', 'package.json', 'Cargo.toml', 'go.mod'].map((name) =>
    join(folder, name),
  )
  for (const path of paths) writeFileSync(path, path.repeat(1_000))
  const file = join(folder, 'task-files.json')
  const since = Date.now() + 60_000
  const baseline = createTaskBaseline({ file, workspace: folder, since })
  await baseline.note(paths.slice(0, 1))
  const before = readFileSync(file, 'utf8')
  const reader = openSync(file, 'r')
  onTestFinished(() => closeSync(reader))
  await Promise.all(paths.map((path) => baseline.note([path])))
  expect(readFileSync(reader, 'utf8')).toBe(before)
  expect(Object.keys(JSON.parse(readFileSync(file, 'utf8')))).toEqual(
    expect.arrayContaining([...paths]),
  )
})

test('[APP72] a change that a question showed is forgotten with the question, and shown again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tandem-tasks-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'Makefile'), 'test:\n\ttrue\n')
  const tasks = createSessionTasks(folder)
  const git = { reads: null, records: null, remotes: null }
  const look = { path: folder, for: 'project' } as const
  const shownTo = async (call: number) => {
    await tasks.begin(folder, 0, [call])
    const fact = { real: folder, kind: 'folder', project: { tasks: [], git } } as const
    const { project } = await tasks.watch(call)(look, fact)
    tasks.judged(call, { decision: 'ask', reasons: [...(project?.changes ?? [])] })
    return project?.changes
  }
  expect(await shownTo(1)).toHaveLength(1)
  expect(await shownTo(2)).toHaveLength(1)
  // The first was closed meanwhile: no yes to it can come any more.
  await tasks.began(1)
  expect(await shownTo(3)).toHaveLength(1)
  await tasks.began(3)
  expect(await shownTo(4)).toEqual([])
})
