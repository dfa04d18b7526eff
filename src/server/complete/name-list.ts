import { setImmediate } from 'node:timers/promises'

/** Names of files and folders, with what makes looking for letters in all of them quick. */
export interface NameList {
  names: readonly string[]
  /** The same in small letters. */
  lower: readonly string[]
  /** Of each name, which letters it has. */
  letters: Int32Array
}

export const noNames: NameList = { names: [], lower: [], letters: new Int32Array() }

/** A bit for each letter; digits share one, and so does all the rest. */
export function lettersOf(text: string): number {
  let bits = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code >= 97 && code <= 122) bits |= 1 << (code - 97)
    else bits |= code >= 48 && code <= 57 ? 1 << 26 : 1 << 27
  }
  return bits
}

/** Others get their turn after so many names. */
const atOnce = 10_000

/** Files and the folders they are in, those near the top first. In pieces, so that nobody waits for all of it. */
export async function nameList(files: readonly string[]): Promise<NameList> {
  const names = await withFolders(files)
  const lower: string[] = []
  const letters = new Int32Array(names.length)
  for (const [index, name] of names.entries()) {
    if (index % atOnce === atOnce - 1) await setImmediate()
    const small = name.toLowerCase()
    lower.push(small)
    letters[index] = lettersOf(small)
  }
  return { names, lower, letters }
}

async function withFolders(files: readonly string[]): Promise<readonly string[]> {
  const folders = new Set<string>()
  const byDepth: string[][] = []
  const add = (name: string, depth: number) => (byDepth[depth] ??= []).push(name)
  for (const [index, file] of files.entries()) {
    if (index % atOnce === atOnce - 1) await setImmediate()
    let depth = 0
    for (let at = file.indexOf('/'); at !== -1; at = file.indexOf('/', at + 1)) {
      const folder = file.slice(0, at + 1)
      if (!folders.has(folder)) {
        folders.add(folder)
        add(folder, depth)
      }
      depth += 1
    }
    add(file, depth)
  }
  return byDepth.flat()
}
