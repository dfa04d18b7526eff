/** Who may import whom. ARCHITECTURE.md draws it; the projects' references enforce it. */
export const layers: Readonly<Record<string, readonly string[]>> = {
  base: [],
  protocol: ['base'],
  log: ['base', 'protocol'],
  terminal: ['base', 'protocol'],
  session: ['base', 'protocol', 'log'],
  view: ['base', 'protocol', 'log'],
  client: ['base', 'protocol', 'view'],
  web: ['base', 'protocol', 'log', 'view', 'client'],
  react: ['base', 'protocol', 'log', 'view', 'client'],
  holder: ['base', 'protocol'],
  skill: ['base', 'protocol'],
  server: ['base', 'protocol', 'log', 'terminal', 'session', 'skill'],
  cli: ['base', 'protocol', 'log', 'session', 'view', 'client', 'holder', 'skill', 'server'],
  agent: ['base', 'protocol', 'log', 'view', 'client', 'server'],
}

export const layerNames = Object.keys(layers)

/** These have no world: no process, network, timers or files, no clock and no random. */
export const pureLayers = ['base', 'protocol', 'log', 'terminal', 'session', 'view']
