import type { Facts, LiveShell } from '../../../session/policy/facts.ts'
import { judge } from '../../../session/policy/verdict.ts'
import type { AskShell } from '../judge-now.ts'

/** One question holds no more names than a shell is asked for at a time. */
const namesAtOnce = 200

/** Remembers what a shell said of names, as long as nothing runs in it. */
export function createKnownNames(askShell: AskShell) {
  let known: LiveShell | null = null

  async function ask(wanted: readonly string[]): Promise<LiveShell | null> {
    const missing = wanted.filter((name) => !known?.state.asked.has(name))
    if (known !== null && missing.length === 0) return known
    const heard = await askShell(missing)
    if (heard !== null) known = known === null ? heard : joined(known, heard)
    return heard === null ? null : known
  }

  return {
    ask,
    /** Something may have changed in the shell. */
    forget(): void {
      known = null
    },
    /** Asks for the names of many commands at once. */
    async prepare(commands: readonly string[], facts: Omit<Facts, 'files' | 'live'>) {
      const unasked = { ...facts, live: null, files: new Map() }
      const names = new Set(commands.flatMap((command) => judge(command, unasked).names))
      const missing = [...names].filter((name) => isName(name) && !known?.state.asked.has(name))
      for (let at = 0; at < missing.length; at += namesAtOnce)
        await ask(missing.slice(at, at + namesAtOnce))
    },
  }
}

/** Longer ones are no names of programs, and a question has an end. */
const isName = (name: string) => name.length < 100 && !/[/\0]/.test(name)

/** The same shell, asked about more names. */
function joined(one: LiveShell, other: LiveShell): LiveShell {
  const { state } = other
  return {
    ...other,
    state: {
      ...state,
      asked: new Set([...one.state.asked, ...state.asked]),
      found: new Map([...one.state.found, ...state.found]),
      bodies: new Map([...one.state.bodies, ...state.bodies]),
    },
  }
}
