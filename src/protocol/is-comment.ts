/** Nothing, or comments only: no shell would do anything with it. */
export function isComment(command: string): boolean {
  return command.split('\n').every((line) => /^\s*(#|$)/.test(line))
}
