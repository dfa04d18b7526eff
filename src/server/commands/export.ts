import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { ToolRequest } from '../../protocol/call.ts'
import { ExportFormat, wholeExports } from '../../protocol/page-routes.ts'
import { exportTo } from '../../session/commands/export.ts'
import type { SessionHost } from '../host.ts'
import { type EdgeAnswer, failed, readArguments, told } from './edge-answer.ts'
import { expandHome } from './repo.ts'

export interface ExportCommandDeps {
  id: string
  workspace: string
  export: SessionHost['export']
}

/** `/export [format] [file]`: the session as a file, which is never written over another. */
export function exportCommand(deps: ExportCommandDeps): (call: ToolRequest) => Promise<EdgeAnswer> {
  return async (call) => {
    const parsed = readArguments(exportTo, call)
    if (!parsed.ok) return parsed.error
    const format = ExportFormat.parse(parsed.value.get('format') ?? 'md')
    const given = parsed.value.get('file')
    const text = await deps.export(format)
    const written =
      given === undefined
        ? await writeUnused(deps, format, text)
        : await writeNew(fileOf(given, deps.workspace), text)
    if ('problem' in written) return failed(written.problem)
    const also = wholeExports.has(format) ? ' Private commands are in it too.' : ''
    return told(`Wrote ${written.path} (${sizeOf(text)}).${also}`)
  }
}

type Written = { path: string } | { problem: string; isTaken: boolean }

/** Names are tried in turn; a folder with so many exports of one session is no accident. */
const names = 1_000

async function writeUnused(
  { id, workspace }: ExportCommandDeps,
  format: ExportFormat,
  text: string,
): Promise<Written> {
  const name = `tandem-${id.slice(0, 8)}`
  let written: Written = { problem: '', isTaken: true }
  for (let n = 1; n <= names && 'problem' in written && written.isTaken; n += 1)
    written = await writeNew(join(workspace, `${name}${n === 1 ? '' : `-${n}`}.${format}`), text)
  return written
}

async function writeNew(path: string, text: string): Promise<Written> {
  try {
    // What was said in a session is for its person alone.
    await writeFile(path, text, { flag: 'wx', mode: 0o600 })
    return { path }
  } catch (error) {
    return problemOf(path, error)
  }
}

function problemOf(path: string, error: unknown): Written {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const isTaken = code === 'EEXIST'
  const why = isTaken
    ? 'it is there already; give another name'
    : code === 'ENOENT'
      ? 'there is no such folder'
      : String(error instanceof Error ? error.message : error)
  return { problem: `Cannot write ${path}: ${why}.`, isTaken }
}

/** As a person means it: in the workspace, unless they say where. */
function fileOf(given: string, workspace: string): string {
  const path = given.replace(/^(["'])(.*)\1$/s, '$2')
  return resolve(workspace, expandHome(path))
}

function sizeOf(text: string): string {
  const bytes = Buffer.byteLength(text)
  if (bytes < 1_000) return `${bytes} bytes`
  return bytes < 1_000_000
    ? `${(bytes / 1_000).toFixed(1)} kB`
    : `${(bytes / 1_000_000).toFixed(1)} MB`
}
