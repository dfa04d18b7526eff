/** The end of an exhaustive switch: a new member of the union must break the build, not the run. */
export function assertNever(value: never): never {
  throw new Error(`unhandled case: ${JSON.stringify(value)}`)
}
