/** Gives the place back; a second call does nothing. */
export type Release = () => void

/** At most so many at once, the rest in the order they came. */
export interface Slots {
  /** Null when the signal came first: it never had a place. */
  take(signal: AbortSignal): Promise<Release | null>
  /** How many wait. */
  waiting(): number
}

export function createSlots(count: number): Slots {
  let free = count
  const queue = new Set<() => void>()

  function release(): void {
    const [next] = queue
    if (next === undefined) free += 1
    else next()
  }

  function grant(): Release {
    let isHeld = true
    return () => {
      if (isHeld) release()
      isHeld = false
    }
  }

  return {
    take(signal) {
      if (signal.aborted) return Promise.resolve(null)
      if (free > 0) {
        free -= 1
        return Promise.resolve(grant())
      }
      return new Promise((resolve) => {
        const leave = () => {
          queue.delete(enter)
          resolve(null)
        }
        const enter = () => {
          queue.delete(enter)
          signal.removeEventListener('abort', leave)
          resolve(grant())
        }
        queue.add(enter)
        signal.addEventListener('abort', leave, { once: true })
      })
    },
    waiting: () => queue.size,
  }
}

/** One set of slots a team, made when it is first asked for. */
export function createTeamSlots(count: number): (team: string) => Slots {
  const teams = new Map<string, Slots>()
  return (team) => {
    const known = teams.get(team) ?? createSlots(count)
    teams.set(team, known)
    return known
  }
}
