import { access, constants, stat } from 'node:fs/promises'
import { delimiter, isAbsolute, join } from 'node:path'
import { ok, refused, type Result } from '../../protocol/result.ts'

type Env = Readonly<Record<string, string>>

/** The shell's file, or a sentence why the command cannot be started there. */
export async function findStart({
  shell,
  cwd,
  env,
}: {
  shell: string
  cwd: string
  env: Env
}): Promise<Result<string, string>> {
  const problem = await badFolder(cwd)
  if (problem !== null) return refused(`The command was not run: ${problem}`)
  const places = shell.includes('/')
    ? [shell]
    : (env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin').split(delimiter).map((at) => join(at, shell))
  for (const place of places) if (await isProgram(place)) return ok(place)
  return refused(
    `The command was not run: there is no shell "${shell}". Install it or set --shell.`,
  )
}

async function badFolder(cwd: string): Promise<string | null> {
  if (!isAbsolute(cwd)) return `the folder "${cwd}" is not an absolute path.`
  try {
    if (!(await stat(cwd)).isDirectory()) return `${cwd} is not a folder.`
    await access(cwd, constants.X_OK)
    return null
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    if (code === 'EACCES' || code === 'EPERM') return `the folder ${cwd} may not be entered.`
    if (code === 'ENOTDIR') return `${cwd} is not a folder.`
    return `the folder ${cwd} does not exist.`
  }
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK)
    return (await stat(path)).isFile()
  } catch {
    return false
  }
}
