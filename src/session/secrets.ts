/** A value that is written out: not a variable’s name, a placeholder or another flag. */
const value = String.raw`(?!["']?[$<{(\[]|-)["']?[^\s"']`

/** Words that name something nobody else should read. */
const name = String.raw`(?:password|passwd|passphrase|secret|token|api[-_]?key|access[-_]?key|private[-_]?key|credentials?)`

/** Each finds a secret by its own shape, or by what stands before it. All are linear in the text. */
const shapes: readonly RegExp[] = [
  // AWS, GitHub, GitLab, OpenAI and Anthropic, Stripe, Slack, Google, npm
  /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/,
  /\bgh[opsur]_[A-Za-z0-9]{20}/,
  /\bgithub_pat_[A-Za-z0-9_]{20}/,
  /\bglpat-[A-Za-z0-9_-]{20}/,
  /\bsk-[A-Za-z0-9_-]{16}/,
  /\b[rs]k_(?:live|test)_[A-Za-z0-9]{16}/,
  /\bxox[abeoprs]-[A-Za-z0-9-]{10}/,
  /hooks\.slack\.com\/services\/\w/,
  /\bAIza[0-9A-Za-z_-]{30}/,
  /\bnpm_[A-Za-z0-9]{30}/,
  // a signed token, a key file
  /\beyJ[A-Za-z0-9_-]{8,200}\.eyJ[A-Za-z0-9_-]{8}/,
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY/,
  // what goes into a request
  new RegExp(String.raw`\bauthorization["']?\s{0,9}[:=]\s{0,9}(?:\w{1,20}\s{1,9})?${value}`, 'i'),
  new RegExp(String.raw`\bbearer\s{1,9}(?=\S{8})${value}`, 'i'),
  /:\/\/[^\s/:@]{1,200}:[^\s/@$]{1,200}@/,
  /\s(?:-u|--user)[= ]\s{0,9}["']?[^\s:$"']{1,200}:[^\s$"']/,
  // what is named as one
  new RegExp(String.raw`${name}["']?\s{0,9}=\s{0,9}${value}`, 'i'),
  new RegExp(String.raw`(?:password|passwd|passphrase)["']?\s{0,9}:\s{0,9}${value}`, 'i'),
  new RegExp(String.raw`--(?:[a-z]{1,20}-)?${name}(?:=|\s{1,9})${value}`, 'i'),
  new RegExp(
    String.raw`\b(?:sshpass\s{1,9}-p\s{0,9}|mysql(?:dump|admin)?\s(?:.{0,200}\s)?-p)${value}`,
  ),
  /\bpass:[^\s$]/,
]

const assigned =
  /\b\w{0,100}(?:KEY|TOKEN|SECRET|PASS)\w{0,20}\s?=\s?["']?([A-Za-z0-9+/=_.-]{16,400})/gi

/**
 * Whether a line likely holds a password, a key or a token. Plain rules, no certainty: what they miss
 * is kept like any other line, and what they find in vain is only not offered again.
 */
export function hasSecret(text: string): boolean {
  if (shapes.some((shape) => shape.test(text))) return true
  return [...text.matchAll(assigned)].some(([, found = '']) => bitsPerChar(found) >= 3)
}

/** Shannon’s measure: words and paths repeat letters, keys do not. */
function bitsPerChar(text: string): number {
  const counts = new Map<string, number>()
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values())
    bits -= (count / text.length) * Math.log2(count / text.length)
  return bits
}
