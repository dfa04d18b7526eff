import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { ExportFormat, wholeExports } from '../../protocol/http/page-routes.ts'
import { exportTo } from '../../session/commands/reports.ts'
import { type EdgeSession, failed, told, withArguments } from './edge-answer.ts'
import { expandHome } from './repo.ts'

/** `/export [format] [file]`: the session as a file, which is never written over another. */
export const exportCommand = withArguments(exportTo, async (args, session) => {
  const format = ExportFormat.parse(args.get('format') ?? 'md')
  const given = args.get('file')
  const text = await session.export(format)
  const written =
    given === undefined
      ? await writeUnused(session, format, text)
      : await writeNew(fileOf(given, session.workspace), text)
  if ('problem' in written) return failed(written.problem)
  const also = wholeExports.has(format) ? ' Private commands are in it too.' : ''
  return told(`Wrote ${written.path} (${sizeOf(text)}).${also}`)
})

type Written = { path: string } | { problem: string; isTaken: boolean }

/** Names are tried in turn; a folder with so many exports of one session is no accident. */
const names = 1_000

async function writeUnused(
  { id, workspace }: EdgeSession,
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
    // A session's words are for its person alone.
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
