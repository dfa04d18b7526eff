/** How many of something a test does: a part by default, all of it when the environment says so. */
export function amount(name: string, part: number): number {
  return Number(process.env[name] ?? part)
}
