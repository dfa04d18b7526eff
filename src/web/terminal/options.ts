import { z } from 'zod'
import { createStore } from '../state/store.ts'

/** What this browser remembers about the terminal. */
const Options = z.object({
  /** For screen readers: its text is in the document. */
  isSpoken: z.boolean().catch(false),
  copiesSelection: z.boolean().catch(false),
})
export type Options = z.infer<typeof Options>

const place = 'tandem.terminal'

function stored(): Options {
  try {
    return Options.parse(JSON.parse(localStorage.getItem(place) ?? '{}'))
  } catch {
    return Options.parse({})
  }
}

export const options = createStore(stored())

export function setOption(changes: Partial<Options>): void {
  options.set({ ...options.get(), ...changes })
  try {
    localStorage.setItem(place, JSON.stringify(options.get()))
  } catch {
    // A browser that keeps nothing still has them until it is closed.
  }
}
