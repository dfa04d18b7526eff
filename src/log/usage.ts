import type { Usage } from '../protocol/events/turn.ts'

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
  }
}

/** Whether a provider reported anything. */
export function hasUsage({ input, output }: Usage): boolean {
  return input > 0 || output > 0
}
