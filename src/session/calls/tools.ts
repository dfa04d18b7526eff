import { z } from 'zod'
import type { Tool } from '../../protocol/events/epoch.ts'
import type { RawCall } from '../../protocol/events/message.ts'
import { type Asked, broken, shownLines } from './asked.ts'

/** A tool of the model’s: what it is told about it, and what its arguments ask for. */
interface TerminalTool<Args> {
  name: string
  description: string
  args: z.ZodType<Args>
  ask(args: Args): Asked
}

const registry = new Map<string, (args: unknown) => Asked>()
const list: Tool[] = []

function offer<Args>({ name, description, args, ask }: TerminalTool<Args>): void {
  const { $schema: _, ...schema } = z.toJSONSchema(args)
  list.push({ name, description, parameters: JSON.stringify(schema) })
  registry.set(name, (given) => {
    const parsed = args.safeParse(given)
    if (parsed.success) return ask(parsed.data)
    const [issue] = parsed.error.issues
    const where = issue?.path.join('.')
    return broken('', `its arguments are wrong: ${where ? `${where}: ` : ''}${issue?.message}`)
  })
}

offer({
  name: 'terminal_execute',
  description:
    'Run a command in the shell that you share with the person. The result has what it printed and its exit code.',
  args: z.strictObject({
    command: z.string().describe('the command, as one would type it'),
    timeout: z.number().positive().optional().describe('seconds it may take; 30 if not given'),
  }),
  ask({ command, timeout }) {
    const trimmed = command.trim()
    if (trimmed === '') return broken(command, 'the command is empty')
    return {
      kind: 'command',
      command: trimmed,
      timeoutMs: timeout ? Math.ceil(timeout * 1_000) : null,
    }
  },
})

offer({
  name: 'terminal_write',
  description:
    'Answer the program that runs in the terminal. Give text, to which Enter is added, or keys by name. Never for passwords: the person types those.',
  args: z.strictObject({
    text: z.string().optional().describe('typed as it is, with Enter at its end'),
    keys: z.string().optional().describe('named keys with blanks between: Down Down Enter'),
  }),
  ask({ text, keys }) {
    if ((text === undefined) === (keys === undefined))
      return broken(text ?? '', 'give either text or keys')
    if (text !== undefined) return { kind: 'act', act: { type: 'text', text } }
    const names = (keys ?? '').split(/\s+/).filter((name) => name !== '')
    if (names.length === 0) return broken('', 'no key is named')
    return { kind: 'act', act: { type: 'keys', names } }
  },
})

offer({
  name: 'terminal_read',
  description:
    'Look at the terminal as the person sees it: its last lines, or the whole screen of a program that has taken it.',
  args: z.strictObject({
    lines: z
      .int()
      .min(1)
      .max(shownLines.most)
      .optional()
      .describe(`how many; ${shownLines.usual} if not given`),
    ansi: z.boolean().optional().describe('keep colours as escape sequences'),
  }),
  ask: ({ lines, ansi }) => ({
    kind: 'act',
    act: { type: 'read', lines: lines ?? shownLines.usual, ansi: ansi ?? false },
  }),
})

offer({
  name: 'terminal_resize',
  description: 'Change the size of the terminal. It counts only while nobody looks at it.',
  args: z.strictObject({ rows: z.int().min(1).max(1_000), cols: z.int().min(1).max(1_000) }),
  ask: ({ rows, cols }) => ({ kind: 'act', act: { type: 'resize', rows, cols } }),
})

offer({
  name: 'terminal_interrupt',
  description: 'Press Ctrl+C: stop the program that runs in the terminal.',
  args: z.strictObject({}),
  ask: () => ({ kind: 'act', act: { type: 'interrupt' } }),
})

offer({
  name: 'activate_skill',
  description: 'Read the instructions of a skill, before doing what it is about.',
  args: z.strictObject({ name: z.string().min(1).describe('as it stands in the list of skills') }),
  ask: ({ name }) => ({ kind: 'skill', name }),
})

/** The tools that a model in the tools dialect is told of; frozen with its epoch. */
export const tools: readonly Tool[] = list

/** The request of a native call. Nothing is guessed: broken arguments and unknown names do nothing. */
export function askedBy({ name, args }: RawCall): Asked {
  const tool = registry.get(name)
  if (tool === undefined) return broken(args, `there is no tool ${name}`)
  let given: unknown
  try {
    given = args.trim() === '' ? {} : JSON.parse(args)
  } catch {
    return broken(args, 'its arguments are not valid JSON')
  }
  const asked = tool(given)
  return asked.kind === 'broken' && asked.text === '' ? broken(args, asked.why) : asked
}
