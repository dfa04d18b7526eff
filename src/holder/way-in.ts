import {
  closeSync,
  existsSync,
  ftruncateSync,
  openSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { remakePrivateFolder } from './private-folder.ts'

/** A command with its name, and whose it is. */
export interface Load {
  id: string
  who: 'model' | 'private' | 'person'
  line: Buffer
  /** Which try it is: what the shell says of an earlier one counts for nothing. */
  attempt: number
}

/** How a command's bytes get to the shell. */
export interface WayIn {
  /** The keys that make the shell take it into its line. */
  load: (load: Load) => Buffer
  /** A line that runs what cannot stand in one; null where there is no way. */
  sourced: (command: Buffer) => Buffer | null
  /** The shell has read it; nobody else should. */
  scrub: () => void
  /** Nothing of a private one may stay behind. */
  forget: () => void
  /** How much longer than a shell of ours it may take to answer. */
  patience: number
}

/** By a private file: for the shell that we started ourselves. */
export function wayByFile(folder: string, key: string): WayIn {
  const loadKey = Buffer.from(key)
  const commandPath = join(folder, 'command')
  let commandFile = openSync(commandPath, 'w', 0o600)
  const scriptFile = join(folder, 'script')
  let writtenBytes = 0

  /** Else the shell would find no command, and be typed to. */
  function reopen(): void {
    if (!remakePrivateFolder(folder)) return
    closeSync(commandFile)
    commandFile = openSync(commandPath, 'w', 0o600)
    writtenBytes = 0
  }

  return {
    patience: 1,
    load({ id, who, line, attempt }) {
      if (!existsSync(commandPath)) reopen()
      const content = Buffer.concat([
        Buffer.from(`${id}\0${who}\0`),
        line,
        Buffer.from(`\0${attempt}\0`),
      ])
      // What lies behind the end counts for nothing, but it would be read.
      if (content.length < writtenBytes) ftruncateSync(commandFile)
      writtenBytes = writeSync(commandFile, content, 0, content.length, 0)
      return loadKey
    },
    sourced(command) {
      if (!existsSync(folder)) remakePrivateFolder(folder)
      writeFileSync(scriptFile, command, { mode: 0o600 })
      return Buffer.from(`. ${scriptFile}`)
    },
    scrub() {
      ftruncateSync(commandFile)
      writtenBytes = 0
    },
    forget: () => rmSync(scriptFile, { force: true }),
  }
}

/**
 * Behind the key itself: for a shell that may be on another machine, or another user's. Only letters that no
 * terminal acts on are sent, so that a shell that does not know the key has at worst a strange line.
 */
export function wayByKeys(key: string): WayIn {
  return {
    // As far as the other end of the world, and a shell that swaps there.
    patience: 4,
    load({ id, who, line, attempt }) {
      const body = `${id},${who},${spellOut(line)},${attempt};`
      return Buffer.from(`${key}${String(body.length).padStart(lengthChars)}${body}`)
    },
    sourced: () => null,
    scrub() {},
    forget() {},
  }
}

const lengthChars = 8

/** What is not a plain letter as `\0` and three octal digits, which every shell's `printf %b` reads. */
function spellOut(line: Buffer): string {
  let text = ''
  for (const byte of line) {
    const isPlain = byte >= 0x20 && byte < 0x7f && byte !== 0x5c && byte !== 0x3b && byte !== 0x2c
    text += isPlain ? String.fromCharCode(byte) : `\\0${byte.toString(8).padStart(3, '0')}`
  }
  return text
}
