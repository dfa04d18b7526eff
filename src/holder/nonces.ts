/** Whose marks they are: a shell's, by its level; those of one that is being adopted; nobody's any more. */
export type Owner = number | 'adopting' | 'retired'

/** The secrets by which marks are told from text that only looks like one. */
export interface Nonces {
  owner: (nonce: string) => Owner | undefined
  /** Whether a known one begins so. */
  isPart: (start: string) => boolean
  /** All of them, as bytes: the same ones each time. */
  secrets: () => Iterable<Buffer>
  add: (nonce: string, owner: Owner) => void
  /** Its marks are no news any more, but they are not text either. */
  retire: (nonce: string) => void
}

export const nonceChars = 24
/** Of shells that were left: one that is still there, in the background, may speak again. */
const maxRetired = 64

export function createNonces(base: string): Nonces {
  const owners = new Map<string, Owner>([[base, 0]])
  const bytes = new Map<string, Buffer>([[base, Buffer.from(base)]])
  let retired: string[] = []
  return {
    owner: (nonce) => owners.get(nonce),
    isPart: (start) => [...owners.keys()].some((nonce) => nonce.startsWith(start)),
    secrets: () => bytes.values(),
    add(nonce, owner) {
      owners.set(nonce, owner)
      bytes.set(nonce, Buffer.from(nonce))
    },
    retire(nonce) {
      owners.set(nonce, 'retired')
      retired = [...retired, nonce]
      const gone = retired.length > maxRetired ? retired.shift() : undefined
      if (gone === undefined) return
      owners.delete(gone)
      bytes.delete(gone)
    },
  }
}
