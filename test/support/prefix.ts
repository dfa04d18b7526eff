import { expect } from 'vitest'

interface Request {
  messages: readonly unknown[]
}

/** Rule 1 on the wire: what was sent before is sent again, unchanged, and only then something new. */
export function expectExtends(later: Request, earlier: Request): void {
  const before = earlier.messages.map((message) => JSON.stringify(message))
  const after = later.messages.map((message) => JSON.stringify(message))
  expect(after.slice(0, before.length)).toEqual(before)
}
