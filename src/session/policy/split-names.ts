import { isSecretPath } from './secrets.ts'

/** Says whether `xargs`, which splits names at blanks and takes quotes away, makes a secret, an option or another place of one. */
export function isMisleading(path: string): boolean {
  if (/(?:^|\/)-/.test(path)) return true
  if (!/[\s'"\\]/.test(path)) return false
  const pieces = path.replaceAll(/['"\\]/g, '').split(/\s+/)
  return pieces.some((piece) => /^[-+~/]|(?:^|\/)\.\.(?:\/|$)/.test(piece) || isSecretPath(piece))
}
