/** One line that a document has its reader type, and what it says comes of it. */
export interface Step {
  /** From the home folder. */
  folder: string
  command: string
  expected: readonly string[]
}

/** A fenced `console` block of a document. */
export interface Block {
  /** In the document, from 1. */
  line: number
  steps: readonly Step[]
}

const prompt = /^~(\/\S+)?\$ (.+)$/

/** The blocks in which somebody types a `tandem` command; what stands before the first prompt is none. */
export function consoleBlocks(markdown: string): readonly Block[] {
  const lines = markdown.split('\n')
  const blocks: Block[] = []
  for (let at = 0; at < lines.length; at += 1) {
    const [, fence] = /^(`{3,})console$/.exec(lines[at] ?? '') ?? []
    if (fence === undefined) continue
    const end = lines.indexOf(fence, at + 1)
    const steps = stepsOf(lines.slice(at + 1, end))
    if (steps.some(({ command }) => /\btandem\b/.test(command)))
      blocks.push({ line: at + 1, steps })
    at = end
  }
  return blocks
}

function stepsOf(lines: readonly string[]): readonly Step[] {
  const steps: (Step & { expected: string[] })[] = []
  for (const line of lines) {
    const [, folder = '', command] = prompt.exec(line) ?? []
    if (command !== undefined) steps.push({ folder, command, expected: [] })
    else steps.at(-1)?.expected.push(line)
  }
  return steps
}
