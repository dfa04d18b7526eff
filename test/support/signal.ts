/** Lets a test wait for a condition without polling or sleeping. */
export interface Signal {
  /** Something the condition depends on has changed. */
  fire(): void
  until(condition: () => boolean): Promise<void>
}

export function createSignal(): Signal {
  const waiting = new Set<{ condition: () => boolean; resolve: () => void }>()
  return {
    fire() {
      for (const wait of waiting)
        if (wait.condition()) {
          waiting.delete(wait)
          wait.resolve()
        }
    },
    until: (condition) =>
      new Promise((resolve) => {
        if (condition()) resolve()
        else waiting.add({ condition, resolve })
      }),
  }
}
