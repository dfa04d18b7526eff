/** The commands that a client does itself; the session refuses them as `local_command`. */
export const localCommands = [
  { name: 'help', summary: 'show commands and keys' },
  { name: 'clear', summary: 'a new session that goes on in this terminal; this one stays' },
  { name: 'theme', summary: 'choose the colours' },
  { name: 'quit', summary: 'leave; the session stays' },
  { name: 'bash', summary: 'every line runs as a command, until `exit`' },
] as const
