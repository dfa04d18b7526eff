/** Who may import whom. ARCHITECTURE.md draws it; the projects' references enforce it. */
export const layers: Readonly<Record<string, readonly string[]>> = {
  protocol: [],
  log: ['protocol'],
  session: ['protocol', 'log'],
  view: ['protocol', 'log'],
  client: ['protocol', 'view'],
  holder: ['protocol'],
  server: ['protocol', 'log', 'session'],
  cli: ['protocol', 'log', 'session', 'view', 'client', 'holder', 'server'],
}

export const layerNames = Object.keys(layers)

/** These have no world: no process, network, timers or files, no clock and no random. */
export const pureLayers = ['protocol', 'log', 'session', 'view']
