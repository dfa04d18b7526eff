import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writePlace } from '../../skill/place-file.ts'
import type { SkillPlace } from '../../skill/skill-folders.ts'

export interface SkillProgram {
  /** The session’s own folder. */
  folder: string
  /** The bundled `skill` program. */
  entry: string
  place: SkillPlace
}

/** The folder that goes first on the search path of this session’s shells. */
export function skillBin(folder: string): string {
  return join(folder, 'bin')
}

/**
 * Puts `skill` into the session’s folder: a launcher, and beside it what the program has to know of
 * the world. To be called when a session is opened, for its shell may be older than this server, and
 * when the trust in its workspace changes: the program reads the file anew at each start.
 */
export function writeSkillProgram({ folder, entry, place }: SkillProgram): void {
  const bin = skillBin(folder)
  mkdirSync(bin, { recursive: true, mode: 0o700 })
  const placeFile = join(folder, 'skill.json')
  keep(placeFile, { text: `${writePlace(place)}\n`, mode: 0o600 })
  const words = [process.execPath, entry, placeFile].map(quote).join(' ')
  keep(join(bin, 'skill'), { text: `#!/bin/sh\nexec ${words} "$@"\n`, mode: 0o700 })
}

/** Whole or not at all, for somebody may be about to read it; and not without need. */
function keep(file: string, { text, mode }: { text: string; mode: number }): void {
  if (textOf(file) === text) return
  writeFileSync(`${file}.new`, text, { mode })
  chmodSync(`${file}.new`, mode)
  renameSync(`${file}.new`, file)
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}

function quote(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`
}

/** The environment of a one-shot command, with our programs found first. */
export function withSkillBin(
  env: Readonly<Record<string, string>>,
  folder: string,
): Readonly<Record<string, string>> {
  const bin = skillBin(folder)
  return bin.includes(':') ? env : { ...env, PATH: `${bin}:${env['PATH'] ?? defaultPath}` }
}

/** What a shell takes when nobody says. */
const defaultPath = '/usr/local/bin:/usr/bin:/bin'
