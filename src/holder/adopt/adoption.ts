import { randomBytes } from 'node:crypto'
import type { AdoptableShell, AdoptRequest } from '../../protocol/holder/holder.ts'
import { nonceChars } from '../output/scan-marks.ts'

interface AdoptionOptions {
  request: AdoptRequest
  write: (bytes: Buffer) => void
  /** Marks with this are part of the talk with the shell; it is shown there, and good for nothing else. */
  onToken: (token: string) => void
  /** From here on the shell may speak with this nonce. */
  onNonce: (nonce: string) => void
  /** It could not be done. Gets the bytes printed meanwhile, unless they may show the nonce. */
  onFailed: (reason: string, printed: readonly Buffer[]) => void
}

type Step = 'echoing' | 'erasing' | 'naming' | 'reading' | 'installing'

const blank = ' '
const erase = '\x7f'
const interrupt = '\x03'
/** To the end of the line, and all of it away: a person may have begun one. */
const clearLine = '\x05\x15'
/** A shell on the other side of the world that has to start `head`. */
const stepMs = 8000
const echoMs = 3000
/** A prompt and the echo of three lines; a program that prints more is busy with something else. */
const maxPrintedBytes = 256 * 1024

const reasons: Readonly<Record<Step, string>> = {
  echoing: 'it does not show what is typed: it may be reading a secret, or be busy',
  erasing: 'it does not show what is typed: it may be reading a secret, or be busy',
  naming: 'what reads there did not answer as a shell does',
  reading: 'the shell there did not read the line (are `stty` and `head` there?)',
  installing: 'the shell there did not take our script',
}

export type Adoption = ReturnType<typeof startAdoption>

/**
 * Teaches a shell that runs already to speak to us. Nothing it prints meanwhile is shown or kept.
 *
 * First a blank, and its echo, where nobody can say whether a secret is read. Then a line that any shell
 * executes, which tells its kind. Then one that reads the script with the nonce, which is therefore neither
 * in a line, nor echoed, nor in a history.
 */
export function startAdoption(options: AdoptionOptions) {
  const { request, write, onToken, onNonce, onFailed } = options
  const token = randomBytes(nonceChars / 2).toString('hex')
  const nonce = randomBytes(nonceChars / 2).toString('hex')
  const printed: Buffer[] = []
  let printedBytes = 0
  let step: Step = 'naming'
  let timer: NodeJS.Timeout | undefined
  let shell: AdoptableShell | null = null
  let isOver = false

  function go(next: Step, keys: string): void {
    step = next
    clearTimeout(timer)
    timer = setTimeout(() => giveUp(reasons[next]), next === 'echoing' ? echoMs : stepMs)
    write(Buffer.from(keys))
  }

  function giveUp(reason: string): void {
    if (step === 'echoing') write(Buffer.from(erase))
    // A script that is half read there is broken off.
    if (step === 'reading' || step === 'installing') write(Buffer.from(interrupt))
    fail(reason)
  }

  function fail(reason: string): void {
    if (isOver) return
    isOver = true
    clearTimeout(timer)
    onFailed(reason, step === 'installing' ? [] : printed)
  }

  function ask(): void {
    go('naming', `${clearLine}${request.asks.replaceAll('@TOKEN@', token)}\r`)
  }

  function install({ reads, script }: AdoptableShell): void {
    const bytes = Buffer.byteLength(filled(script))
    const line = reads.replaceAll('@TOKEN@', token).replaceAll('@BYTES@', String(bytes))
    go('reading', `${line}\r`)
  }

  const filled = (script: string) => script.replaceAll('@NONCE@', nonce)

  onToken(token)
  if (request.isCarried) go('echoing', blank)
  else ask()

  return {
    request,
    onText(bytes: Buffer): void {
      if (isOver) return
      printed.push(bytes)
      printedBytes += bytes.length
      if (step === 'echoing' && bytes.includes(blank)) go('erasing', erase)
      else if (step === 'erasing') ask()
      if (printedBytes > maxPrintedBytes) giveUp('it is busy printing')
    },
    /** With the token. */
    onMark(kind: string, fields: readonly string[]): void {
      if (isOver) return
      if (kind === 'W' && step === 'naming') {
        const named = nameShell(fields, request.shells)
        if (typeof named === 'string') return fail(named)
        shell = named
        install(named)
      } else if (kind === 'R' && step === 'reading' && shell !== null) {
        onNonce(nonce)
        go('installing', filled(shell.script))
      }
    },
    /** The shell spoke with the new nonce: it is adopted. */
    succeed(): { nonce: string; shell: AdoptableShell } {
      isOver = true
      clearTimeout(timer)
      return { nonce, shell: shell ?? request.shells.bash }
    },
    fail,
  }
}

/** The shell, by the versions that it knows; or a sentence why it cannot be adopted. */
function nameShell(
  versions: readonly string[],
  shells: AdoptRequest['shells'],
): AdoptableShell | string {
  const names = ['bash', 'zsh', 'fish'] as const
  const at = versions.slice(0, names.length).findIndex((version) => version !== '')
  const name = names[at]
  const version = versions[at] ?? ''
  if (name === undefined) return 'the shell there is neither bash, zsh nor fish'
  if (number(version) >= number(shells[name].since)) return shells[name]
  return `the shell there is ${name} ${version}, and ${shells[name].since} or newer is needed`
}

function number(version: string): number {
  const [major = 0, minor = 0] = version.split('.').map((part) => Number.parseInt(part, 10) || 0)
  return major * 1000 + minor
}
