/** Far above the protocol's limit for a command; a frame must hold it. */
const maxCommandChars = 1024 * 1024
/** Behind a key a command is spelled out letter by letter, and drawn so. */
const maxAdoptedChars = 64 * 1024

/** Why no shell could take this command, or null. */
export function reasonAgainstCommand(command: string, isByKeys: boolean): string | null {
  if (command.includes('\0')) return 'it contains a NUL character'
  if (command.length > maxCommandChars) return 'it is too long'
  if (isByKeys && command.length > maxAdoptedChars) return 'it is too long for an adopted shell'
  return null
}
