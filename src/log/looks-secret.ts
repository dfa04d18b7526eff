/** The words that programs ask for secrets with, in a line that ends as a question does. */
const asks =
  /\b(?:pass(?:word|phrase|code|wd)|pin|otp|one[- ]time (?:code|password)|(?:verification|security|authentication) code|(?:access |auth |api |2fa |mfa )?token|api key|secret)\b.{0,200}[:?>]\s*$/i

/** The same of `sudo` and `su` in other languages. */
const asksElsewhere =
  /(?:passwort|kennwort|mot de passe|contraseña|senha|wachtwoord|hasło|пароль|密码|密碼|パスワード|암호).{0,200}[:：?>]\s*$/iu

/** Longer lines are no questions. */
const lineChars = 300

/** The cursor stands behind what looks like a question for a password. */
export function looksSecret(line: string): boolean {
  return line.length <= lineChars && (asks.test(line) || asksElsewhere.test(line))
}
