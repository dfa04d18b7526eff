/** The part of a masked field that its words depend on. */
interface Asked {
  phase: 'asked' | 'likely' | 'over'
  program: string
  question: string | null
}

interface SecretWords {
  label: string
  line: string
}

/** The words beside a field for a secret. */
export function secretWords({ phase, program, question }: Asked): SecretWords {
  const who = program === '' ? 'the program in the terminal' : program
  const label = `Secret for ${who}`
  if (phase === 'likely') {
    const words = question === null ? 'The last line in the terminal' : `“${question}”`
    return {
      label,
      line: `${words} looks like a question for a password. Who is this line for?`,
    }
  }
  if (phase === 'over') return { label, line: 'The program no longer asks.' }
  const asks = program === '' ? 'A program asks' : `${program} asks`
  return { label, line: `${asks} for a secret. It goes to the program only, not to the model.` }
}
