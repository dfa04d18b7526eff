import type { Duplex } from 'node:stream'

export type Connections = ReturnType<typeof createConnections>

/**
 * Every connection there is. When there is no room, a stranger leaves for the newcomer: of those that have shown neither
 * token nor ticket, the one that has been silent for longest.
 */
export function createConnections(most: number) {
  /** In the order in which they were last heard of. */
  const strangers = new Set<Duplex>()
  const known = new Set<Duplex>()

  function forget(connection: Duplex): void {
    strangers.delete(connection)
    known.delete(connection)
  }

  return {
    add(connection: Duplex): void {
      strangers.add(connection)
      connection.once('close', () => forget(connection))
      if (strangers.size + known.size <= most) return
      // The newcomer itself, if everybody else is known.
      const [silent = connection] = strangers
      forget(silent)
      silent.destroy()
    },
    /** A request has come. */
    heard(connection: Duplex): void {
      if (strangers.delete(connection)) strangers.add(connection)
    },
    /** It belongs to somebody who may be here. */
    know(connection: Duplex): void {
      if (strangers.delete(connection)) known.add(connection)
    },
  }
}
