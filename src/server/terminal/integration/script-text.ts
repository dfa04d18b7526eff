/** The parts of a script between lines that say where they begin; those lines are left out. */
export function cutScript(script: string, marks: readonly string[]): readonly string[] {
  const parts: string[] = []
  let rest = script
  for (const mark of marks) {
    const [before, after] = halves(rest, mark)
    parts.push(before)
    rest = after
  }
  return [...parts, rest]
}

export function replaceOnce(script: string, text: string, next: string): string {
  return halves(script, text).join(next)
}

function halves(script: string, text: string): [string, string] {
  const at = script.indexOf(text)
  if (at < 0 || script.includes(text, at + 1))
    throw new Error(`a script of ours does not have exactly one "${text}"`)
  return [script.slice(0, at), script.slice(at + text.length)]
}

/** Without comments and indentation: it goes over a wire, letter by letter. */
export function smaller(script: string): string {
  return script
    .split('\n')
    .map((line) => line.trimStart())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .join('\n')
}

/** For bash and zsh. */
export function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
