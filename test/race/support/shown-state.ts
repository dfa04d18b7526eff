import type { Event } from '../../../src/protocol/events/event.ts'

/** The line of a person's that leaves a number and the time in the shell, and changes something besides. */
export function changingLine(change: number, folder: string): string {
  const kinds = [`cd ${folder}`, `probe() { echo ${change}; }`, `alias quiet${change}=true`, 'true']
  return `export X=${change} T=$EPOCHREALTIME; ${kinds[change % kinds.length]}`
}

/** The place in the log at which everybody could read that this change was made; null when it does not tell. */
export function toldAt(events: readonly Event[], change: string): number | null {
  const starts = events.flatMap((event) =>
    event.type === 'run_start' && event.command.startsWith(`export X=${change} `)
      ? [event.seq]
      : [],
  )
  const end = events.find((event) => event.type === 'run_end' && starts.includes(event.start))
  return end?.seq ?? null
}
