import type { Random } from '../../store/random.ts'

/** A command whose text and output are known by nothing else. */
export interface PrivateSum {
  command: string
  /** What the model must never see: the command, and what it prints. */
  hidden: readonly string[]
}

export function privateSums(random: Random): () => PrivateSum {
  const digits = (count: number) =>
    BigInt(10 ** (count - 1)) + BigInt(random.wholeBelow(9 * 10 ** (count - 1)))
  return () => {
    const [a, b] = [digits(12), digits(6)]
    return { command: `echo $((${a} * ${b}))`, hidden: [String(a), String(a * b)] }
  }
}
