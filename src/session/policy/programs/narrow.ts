/** Words that stand beside keys and passwords. */
const telling =
  /key|token|secret|pass(?:w|phrase)|pwd|credential|auth(?!or)|private|akia|bearer|_url|dsn|\bsk[-_]|gh[opsu]_|begin/i

/** Lines as they stand in files of secrets: a pattern that meets one of them looks for such lines. */
const samples: readonly string[] = [
  '',
  'DB_PASS=',
  'DB_PASSWORD=',
  'DB_PWD=',
  'API_KEY=',
  'APIKEY=',
  'SECRET=',
  'SECRET_KEY_BASE=',
  'AWS_ACCESS_KEY_ID=AKIA',
  'TOKEN=',
  'AUTH_TOKEN=',
  'DATABASE_URL=',
  'SENTRY_DSN=',
  'CREDENTIALS=',
  'PASSPHRASE=',
  '-----BEGIN PRIVATE KEY-----',
  'Authorization: Bearer',
  'sk-ant-api',
  'ghp_',
]

/** A pattern that has a word in each of its choices, and none that stands beside a secret. */
export function isNarrowPattern(pattern: string): boolean {
  if (telling.test(pattern) || pattern.length > 500) return false
  return pattern.split('\n').every((line) => isNarrow(line) && isNarrow(asBasic(line)))
}

/** Groups, counts and choices of a basic expression have a backslash: what has one, and what has none, change places. */
function asBasic(line: string): string {
  return line.replaceAll(/\\?[(){}|+?]|\\[^]|\[\^?\]?(?:\[:\w+:\]|[^\]])*\]/g, (found) =>
    /^\\[(){}|+?]$/.test(found) ? found.slice(1) : /^[(){}|+?]$/.test(found) ? `\\${found}` : found,
  )
}

/** Parts whose end or beginning is not simply the letters that stand there. */
const odd = /\\[A-VX-Zac-rt-vx-z0-9]|\(\*|\(\?(?!:)/

function isNarrow(line: string): boolean {
  // A word's end is where it is; `\S`, `\D` and `\W` are one letter.
  const known = line.replaceAll(/\\[bB<>]/g, '').replaceAll(/\\[SDWsdwntr]/g, '.')
  if (odd.test(known)) return false
  const plain = loosened(known)
  const stars = plain.match(/\.\*/g)?.length ?? 0
  if (stars > 6 || !plain.split('|').every((each) => /[\w-]{3}/.test(each))) return false
  try {
    const loose = new RegExp(plain, 'i')
    return !samples.some((sample) => loose.test(sample))
  } catch {
    return false
  }
}

/** A pattern that meets no less: what may be left out or repeated is anything, and so is what is no letter. */
function loosened(line: string): string {
  let text = line
    .replaceAll(/\\[^]|\[\^?\]?(?:\[:\w+:\]|[^\]])*\]/g, '.')
    .replaceAll('(?:', '(')
    .replaceAll(/[^\w\s.(){}|*+?,:;=<>'"/-]/g, (each) => (/[$^]/.test(each) ? '' : '.'))
  // A bracket that is not closed is a letter, or the search fails.
  if (count(text, '(') !== count(text, ')')) text = text.replaceAll(/[()]/g, '.')
  for (let before = ''; before !== text;) {
    before = text
    text = text
      .replaceAll(/\(([^()]*)\)(?:[*?]|\{[^}]*\})[*+?]*/g, '.*')
      .replaceAll(/\(([^()]*)\)\+[*+?]*/g, '($1).*')
      .replaceAll(/\(([^()|]*)\)/g, '$1')
      .replaceAll(/[^()|](?:[*?]|\{[\d,]*\})[*+?]*/g, (each) => (each === '.*' ? each : '.*'))
      .replaceAll(/([^()|*+])\+[*+?]*/g, '$1.*')
      .replaceAll(/\.*(?:\.\*)+(?:\.(?!\*)|\.\*)*/g, '.*')
  }
  return text.replaceAll(/[{}+?]|(?<!\.)\*/g, '.')
}

const count = (text: string, letter: string) => text.split(letter).length - 1
