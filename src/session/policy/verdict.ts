/** What the policy says of one command. Reasons are sentences for a person. */
export interface Verdict {
  decision: 'allow' | 'ask' | 'deny'
  reasons: readonly string[]
  /** The command without its wrappers, as it would really act. */
  effective: string
}
