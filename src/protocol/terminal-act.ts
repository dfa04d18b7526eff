import { z } from 'zod'

/** What a model does with the terminal, other than running a command in its shell. */
export const TerminalAct = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('keys'), names: z.array(z.string()) }),
  z.object({ type: z.literal('interrupt') }),
  z.object({ type: z.literal('read'), lines: z.number().int().positive(), ansi: z.boolean() }),
  z.object({ type: z.literal('resize'), rows: z.number().int(), cols: z.number().int() }),
])
export type TerminalAct = z.infer<typeof TerminalAct>

/** The ones that reach the program that runs. */
export type TerminalInput = Extract<TerminalAct, { type: 'text' | 'keys' | 'interrupt' }>
