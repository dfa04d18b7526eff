/** Who may import whom. ARCHITECTURE.md draws it; the projects' references enforce it. */
export const layers: Readonly<Record<string, readonly string[]>> = {
  protocol: [],
  log: ['protocol'],
  terminal: ['protocol'],
  session: ['protocol', 'log'],
  view: ['protocol', 'log'],
  client: ['protocol', 'view'],
  web: ['protocol', 'log', 'view', 'client'],
  react: ['protocol', 'log', 'view', 'client'],
  holder: ['protocol'],
  skill: ['protocol'],
  server: ['protocol', 'log', 'terminal', 'session', 'skill'],
  cli: ['protocol', 'log', 'session', 'view', 'client', 'holder', 'skill', 'server'],
  agent: ['protocol', 'log', 'view', 'client', 'server'],
}

export const layerNames = Object.keys(layers)

/** These have no world: no process, network, timers or files, no clock and no random. */
export const pureLayers = ['protocol', 'log', 'terminal', 'session', 'view']
