import type { Adopted, AdoptRequest } from '../protocol/holder.ts'
import { type Adoption, startAdoption } from './adoption.ts'
import type { Levels } from './levels.ts'
import type { Nonces, Owner } from './nonces.ts'

export interface AdopterOptions {
  levels: Pick<Levels, 'top' | 'enter'>
  nonces: Nonces
  write: (bytes: Buffer) => void
  /** Shown and kept like what the shell prints. */
  show: (bytes: Buffer) => void
  answer: (adopted: Adopted) => void
}

/** Adopts one shell after the other; meanwhile text, marks and keys come here first. */
export interface Adopter {
  adopt: (request: AdoptRequest) => void
  /** True: it is not to be shown. */
  takesText: (bytes: Buffer) => boolean
  /** True: it was part of an adoption. */
  takesMark: (kind: string, fields: string[], owner: Owner) => boolean
  /** True: it is typed later. */
  takesKeys: (bytes: Buffer) => boolean
  isBusy: () => boolean
  close: () => void
}

const interrupt = 0x03
/** Typed ahead within the seconds that it takes; more is a paste, which must not be cut in two. */
const maxHeldBytes = 64 * 1024
/** Of the first mark: shell, version, pid, depth, and then whose it is and where. */
const placeField = 4
/** The prompt that was there gives way to the one that follows. */
const cleanLine = Buffer.from('\r\x1b[K')

export function createAdopter({ levels, nonces, write, show, answer }: AdopterOptions): Adopter {
  let adoption: Adoption | null = null
  let secrets: string[] = []
  let keys: Buffer[] = []
  let heldBytes = 0

  function over(): void {
    adoption = null
    for (const secret of secrets) nonces.retire(secret)
    secrets = []
    const held = keys
    keys = []
    heldBytes = 0
    for (const bytes of held) write(bytes)
  }

  function adopt(request: AdoptRequest): void {
    if (adoption !== null) return answer({ ok: false, reason: 'another one is being adopted' })
    const isNext = request.level === levels.top() || request.level === levels.top() + 1
    if (!isNext) return answer({ ok: false, reason: 'the shell around it has ended' })
    const know = (secret: string, owner: Owner) => {
      nonces.add(secret, owner)
      secrets.push(secret)
    }
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

  return {
    adopt,
    takesText(bytes) {
      adoption?.onText(bytes)
      return adoption !== null
    },
    takesMark(kind, fields, owner) {
      if (owner === 'adopting') adoption?.onMark(kind, fields)
      if (typeof owner !== 'number') return true
      // One that spoke from further outside: what was to be adopted is gone.
      if (adoption !== null && owner < adoption.request.level)
        adoption.fail('the shell around it is back at its prompt')
      else if (adoption !== null && kind === 'H') return !enter(adoption, fields)
      // Only one that is being adopted says who it is.
      return owner > levels.top() || (kind === 'H' && owner > 0)
    },
    takesKeys(bytes) {
      if (adoption === null) return false
      if (bytes.length === 1 && bytes[0] === interrupt) {
        adoption.fail('it was interrupted')
        return false
      }
      if (heldBytes + bytes.length > maxHeldBytes) {
        adoption.fail('too much was typed meanwhile')
        return false
      }
      keys.push(bytes)
      heldBytes += bytes.length
      return true
    },
    isBusy: () => adoption !== null,
    close: () => adoption?.fail('the shell has ended'),
  }
}
