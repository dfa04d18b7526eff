import type { TerminalAct } from '../protocol/terminal-act.ts'

/** What a finished reply asks for, in either dialect. `broken` is told to the model, not done. */
export type Asked =
  | { kind: 'command'; command: string; timeoutMs: number | null }
  | { kind: 'act'; act: TerminalAct }
  | { kind: 'skill'; name: string }
  | { kind: 'broken'; text: string; why: string }

export function broken(text: string, why: string): Asked {
  return { kind: 'broken', text, why }
}

/** The tool that does it, under the name it has in the tools dialect. */
export function toolOf(asked: Asked): string {
  if (asked.kind === 'skill') return 'activate_skill'
  if (asked.kind !== 'act') return 'terminal_execute'
  const { type } = asked.act
  return type === 'text' || type === 'keys' ? 'terminal_write' : `terminal_${type}`
}
