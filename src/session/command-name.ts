/**
 * What can stand behind a slash as a name, as the source of a pattern: letters and digits of any
 * script, `:` between folders. A path such as `/usr/bin/env` has a second slash, and is text.
 */
export const commandName = String.raw`[\p{L}\p{N}][\p{L}\p{N}\p{M}:._-]*`

/** The same letters may be written in two ways, and disks differ in which they keep. */
export function sameName(name: string): string {
  return name.normalize('NFC')
}
