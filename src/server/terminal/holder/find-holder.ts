import { join } from 'node:path'
import { HolderFile } from '../../../protocol/holder/holder.ts'
import { readRegular } from '../../files/read-regular.ts'
import { readStat } from '../../process/proc-stat.ts'

/** The living holder a session's folder names; null when there is none. */
export function findHolder(folder: string): HolderFile | null {
  try {
    const file = HolderFile.parse(JSON.parse(readRegular(join(folder, 'holder.json'))))
    return isAlive(file) ? file : null
  } catch {
    return null
  }
}

/** A pid is used again; together with its start time it is not. */
export function isAlive({ pid, startTime }: HolderFile): boolean {
  const fields = readStat(pid)?.fields ?? []
  return fields[0] !== 'Z' && fields[19] === startTime
}
