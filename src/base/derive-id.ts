/**
 * The n-th id (UUID v4) of a random seed. Who knows one of them can tell neither the seed nor another one: the bits
 * are those of ChaCha20 under the seed, for a neighbour of a public id must not be guessable.
 */
export function deriveId(seed: string, n: number): string {
  const key = [...seed.replaceAll('-', '').matchAll(/.{8}/g)].map(([word]) => swap(parse(word)))
  const [a = 0, b = 0, c = 0, d = 0] = chacha([...key, ...key], n).map(swap)
  const hex = [a, (b & 0xffff0fff) | 0x4000, (c & 0x3fffffff) | 0x80000000, d]
    .map((word) => (word >>> 0).toString(16).padStart(8, '0'))
    .join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

const parse = (hex: string) => Number.parseInt(hex, 16)

/** ChaCha reads and writes words with their low byte first. */
const swap = (word: number) =>
  ((word & 0xff) << 24) | ((word & 0xff00) << 8) | ((word >>> 8) & 0xff00) | (word >>> 24)

const constants = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574]
const columns = [0, 1, 2, 3].map((i) => [i, i + 4, i + 8, i + 12] as const)
const diagonals = [0, 1, 2, 3].map(
  (i) => [i, 4 + ((i + 1) % 4), 8 + ((i + 2) % 4), 12 + ((i + 3) % 4)] as const,
)

/** The block with this counter (RFC 8439, with a nonce of zeros) as sixteen words. */
function chacha(key: readonly number[], counter: number): readonly number[] {
  const start = Int32Array.from([...constants, ...key, counter, 0, 0, 0])
  const block = start.slice()
  const add = (to: number, from: number) => (block[to] = (block[to] ?? 0) + (block[from] ?? 0))
  const turn = (to: number, from: number, by: number) => {
    const mixed = (block[to] ?? 0) ^ (block[from] ?? 0)
    block[to] = (mixed << by) | (mixed >>> (32 - by))
  }
  for (let round = 0; round < 10; round += 1)
    for (const [a, b, c, d] of [...columns, ...diagonals]) {
      add(a, b)
      turn(d, a, 16)
      add(c, d)
      turn(b, c, 12)
      add(a, b)
      turn(d, a, 8)
      add(c, d)
      turn(b, c, 7)
    }
  return [...block].map((word, index) => (word + (start[index] ?? 0)) | 0)
}
