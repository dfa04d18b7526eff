import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { HolderFile } from '../../protocol/holder.ts'
import { readStat } from '../proc-stat.ts'

/** The living holder a session's folder names; null when there is none. */
export function findHolder(folder: string): HolderFile | null {
  const text = read(join(folder, 'holder.json'))
  if (text === null) return null
  const file = HolderFile.safeParse(parse(text))
  return file.success && isAlive(file.data) ? file.data : null
}

/** A pid is used again; together with its start time it is not. */
export function isAlive({ pid, startTime }: HolderFile): boolean {
  const fields = readStat(pid)?.fields ?? []
  return fields[0] !== 'Z' && fields[19] === startTime
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
