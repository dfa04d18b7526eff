import type { Adopted, AdoptRequest } from '../../protocol/holder/holder.ts'
import type { Current } from '../current.ts'
import { injecting, isEntering } from '../inject/select.ts'
import type { Nonces, Owner } from '../output/scan-marks.ts'
import type { Reads } from '../process/reads-terminal.ts'
import { type Adoption, startAdoption } from './adoption.ts'
import type { Levels } from './levels.ts'

export interface AdopterOptions {
  current: Pick<Current, 'levels' | 'adopter' | 'injector' | 'promptPid'>
  levels: Pick<Levels, 'enter'>
  nonces: Nonces
  /** Whether the shell with this pid waits for keys now. */
  reads: (pid: number) => Reads
  write: (bytes: Buffer) => void
  /** Shown and kept like what the shell prints. */
  show: (bytes: Buffer) => void
  answer: (adopted: Adopted) => void
}

/** Adopts one shell after the other; meanwhile text, marks and keys come here first. */
export interface Adopter {
  /** Null: a request that cannot be read. */
  adopt: (request: AdoptRequest | null) => void
  /** True: it is not to be shown. */
  takesText: (bytes: Buffer) => boolean
  /** True: it was part of an adoption. */
  takesMark: (kind: string, fields: string[], owner: Owner) => boolean
  /** True: they are typed later. */
  takesKeys: (bytes: Buffer) => boolean
  close: () => void
}

const onItsWay = 'a command is on its way into the shell'
const interrupt = 0x03
/** Typed ahead within the seconds that it takes; more is a paste, which must not be cut in two. */
const maxHeldBytes = 64 * 1024
/** The first mark has shell, version, pid, depth, and then its user and machine. */
const placeField = 4
/** The prompt that was there gives way to the one that follows. */
const cleanLine = Buffer.from('\r\x1b[K')

const notTwo = 'another one is being adopted'

export function createAdopter(options: AdopterOptions): Adopter {
  const { current, levels, nonces, write, show, answer } = options
  const top = () => current.levels.length - 1
  let adoption: Adoption | null = null
  let secrets: string[] = []
  const keys: Buffer[] = []
  let heldBytes = 0

  function over(): void {
    adoption = null
    current.adopter = null
    for (const secret of secrets.splice(0)) nonces.retire(secret)
    heldBytes = 0
    for (const bytes of keys.splice(0)) write(bytes)
  }

  function know(secret: string, owner: Owner): void {
    nonces.add(secret, owner)
    secrets.push(secret)
  }

  function adopt(request: AdoptRequest | null): void {
    if (request === null) return answer({ ok: false, reason: 'the request cannot be read' })
    const reason = adoption === null ? reasonAgainst(request, options) : notTwo
    if (reason !== null) return answer({ ok: false, reason })
    current.adopter = adopter
    adoption = startAdoption({
      request,
      write,
      onToken: (token) => know(token, 'adopting'),
      onNonce: (nonce) => know(nonce, request.level),
      onFailed(reason, printed) {
        over()
        for (const bytes of printed) show(bytes)
        answer({ ok: false, reason })
      },
    })
  }

  /** The first word in the new nonce. Whether it is on this machine is not for it to say. */
  function enter({ request, succeed }: Adoption, fields: string[]): true {
    const { nonce, shell } = succeed()
    fields[placeField + 1] = request.isCarried ? 'away' : ''
    secrets = secrets.filter((secret) => secret !== nonce)
    levels.enter(request.level, { nonce, pid: Number(fields[2]), shell, group: request.group })
    over()
    show(cleanLine)
    answer({ ok: true, level: request.level })
    return true
  }

  const adopter: Adopter = {
    adopt,
    takesText(bytes) {
      adoption?.onText(bytes)
      return adoption !== null
    },
    takesMark(kind, fields, owner) {
      if (owner === 'adopting') adoption?.onMark(kind, fields)
      if (typeof owner !== 'number') return true
      // A shell further outside spoke: the one that was to be adopted is gone.
      if (adoption !== null && owner < adoption.request.level)
        adoption.fail('the shell around it is back at its prompt')
      else if (adoption !== null && kind === 'H') return !enter(adoption, fields)
      // Only one that is being adopted says who it is.
      return owner > top() || (kind === 'H' && owner > 0)
    },
    takesKeys(bytes) {
      if (adoption === null) return false
      const reason = reasonToEnd(bytes, heldBytes)
      if (reason === null) {
        keys.push(bytes)
        heldBytes += bytes.length
      } else adoption.fail(reason)
      return reason === null
    },
    close: () => adoption?.fail('the shell has ended'),
  }
  return adopter
}

/** The server looked before it asked, and what it saw may be over. */
function reasonAgainst(
  { level }: AdoptRequest,
  { current, reads }: Pick<AdopterOptions, 'current' | 'reads'>,
): string | null {
  const top = current.levels.length - 1
  if (level !== top && level !== top + 1) return 'the shell around it has ended'
  const { injector, promptPid } = current
  const { shell, known } = injector.state
  // Keys of ours would get into the adoption; and the line that is typed first would take the command's place.
  if (injecting(injector.state) !== null) return onItsWay
  if (level > top) return null
  if (isEntering(injector.state) && known.saysStart) return onItsWay
  // Whatever took its place was started by a line.
  if (promptPid === shell.pid && known.saysStart) return 'it is the one that takes commands'
  // A command that runs in it would get what is typed, and its output would not be shown.
  return reads(shell.pid) === false ? 'it is not at its prompt' : null
}

function reasonToEnd(bytes: Buffer, heldBytes: number): string | null {
  if (bytes.length === 1 && bytes[0] === interrupt) return 'it was interrupted'
  return heldBytes + bytes.length > maxHeldBytes ? 'too much was typed meanwhile' : null
}
