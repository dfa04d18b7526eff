import { spawn } from 'node:child_process'
import { limits } from '../../protocol/limits.ts'
import { ok, refused, type Result } from '../../base/result.ts'
import { isAbsolute, relative, sep } from 'node:path'

export interface FileList {
  /** Relative to the folder, in no order. Links are not among them. */
  files: readonly string[]
  /** False when there are more, or when looking took too long. */
  isWhole: boolean
}

export interface ListOptions {
  /** More files than this are not looked for. */
  limit: number
  /** Looks for this file: what is surely not on the way to it is left out. Ignore files count as ever. */
  near?: string
  signal?: AbortSignal
}

/**
 * Files, hidden ones too, but what an ignore file names and git’s own. Ignore files count outside a
 * git work tree as well: an unpacked archive has them for the same reason.
 */
const args = ['--no-config', '--files', '--hidden', '--no-require-git', '--null', '--glob=!.git']

/** The files below a folder. The error is a sentence. */
export async function listFiles(
  folder: string,
  { limit, near, signal }: ListOptions,
): Promise<Result<FileList, string>> {
  const program = await ripgrep()
  if (program === null)
    return refused('Files cannot be listed: the package of ripgrep for this system is missing.')
  // An ignore file may be a pipe that nobody writes to.
  const late = AbortSignal.timeout(limits.listFilesMs)
  const stop = signal ? AbortSignal.any([signal, late]) : late
  if (stop.aborted) return refused('The listing was stopped.')
  const found = createCollector(limit)
  const child = spawn(program, [...args, ...(near === undefined ? [] : wayTo(near))], {
    cwd: folder,
    signal: stop,
    killSignal: 'SIGKILL',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  return await new Promise((resolve) => {
    child.stdout.on('data', (bytes: Buffer) => {
      if (!found.add(bytes)) child.kill('SIGKILL')
    })
    child.on('error', (error) => {
      if (signal?.aborted) resolve(refused('The listing was stopped.'))
      else if (!stop.aborted)
        resolve(refused(`The files of ${folder} cannot be listed: ${error.message}.`))
    })
    // A folder that may not be entered is one of the reasons for another code than 0: the rest counts.
    child.on('close', (code) => resolve(ok(found.list(code !== null))))
  })
}

/** Leaves out, on each level, names that begin otherwise. To name what is looked for would un-ignore it. */
function wayTo(path: string): readonly string[] {
  const names = path.split('/').map((name) => name.replaceAll(/[^\w.-]/gu, '?'))
  const others = names.flatMap((name, level) => {
    const [first = '?'] = name
    const above = names.slice(0, level).map((one) => `${one}/`)
    return first === '?' ? [] : [`--glob=!/${above.join('')}[!${first}]*`]
  })
  return [`--max-depth=${names.length}`, ...others]
}

function createCollector(limit: number) {
  const files: string[] = []
  let rest = Buffer.alloc(0)
  let chars = 0
  let isFull = false
  return {
    /** Whether there is room for more. */
    add(bytes: Buffer): boolean {
      if (isFull) return false
      const text = Buffer.concat([rest, bytes])
      let from = 0
      for (let to = text.indexOf(0); to !== -1; to = text.indexOf(0, from)) {
        if (files.length >= limit || chars > limits.listFilesChars) {
          isFull = true
          return false
        }
        const file = text.toString('utf8', from, to)
        files.push(file)
        chars += file.length
        from = to + 1
      }
      rest = text.subarray(from)
      return true
    },
    list: (hasEnded: boolean): FileList => ({ files, isWhole: hasEnded && !isFull }),
  }
}

/** Loaded when it is first needed: on a system that it is not made for, loading it fails. */
async function ripgrep(): Promise<string | null> {
  try {
    return (await import('@vscode/ripgrep')).rgPath
  } catch {
    return null
  }
}

/** Whether a path is a folder or below it, part by part: `/ws-evil` is not in `/ws`. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

/** Reading a file does not wait longer for a folder that is slow to list: the remark is only made in passing. */
const patienceMs = 2_000

/** Whether an ignore file of the folder, or above it, names a file in it. An unanswered question means no. */
export async function isIgnored(folder: string, file: string): Promise<boolean> {
  if (!isInside(folder, file)) return false
  const near = relative(folder, file)
  const signal = AbortSignal.timeout(patienceMs)
  const list = await listFiles(folder, { limit: limits.listedFiles, near, signal })
  return list.ok && list.value.isWhole && !list.value.files.includes(near)
}
