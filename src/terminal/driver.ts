import type { Shell } from './state.ts'

/** Who may type while a model's run is on. Derived but for this: a person can take over and hand back. */
export interface Driver {
  readonly isTaken: boolean
}

const interruptKey = '\x03'

/** Secrets are typed by people only, and whoever took over drives. */
export function driverOf({ isTaken }: Driver, { run }: Shell): 'person' | 'model' {
  return run?.order.by === 'model' && !isTaken && run.need !== 'secret' ? 'model' : 'person'
}

export function mayType(driver: Driver, shell: Shell, keys: string): boolean {
  return keys === interruptKey || driverOf(driver, shell) === 'person'
}
