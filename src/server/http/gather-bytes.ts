/** Bytes that come in pieces, up to a bound. */
export interface GatheredBytes {
  /** False: these would be too many, and are not taken. */
  take(piece: Uint8Array): boolean
  bytes(): Buffer
}

const firstRoom = 4 * 1024

/** Copies each piece: kept as they come, pieces of one byte would cost some four hundred times as much. */
export function gatherBytes(most: number): GatheredBytes {
  let room = Buffer.allocUnsafe(Math.min(firstRoom, most))
  let size = 0
  return {
    take(piece) {
      const next = size + piece.length
      if (next > most) return false
      if (next > room.length) {
        const larger = Buffer.allocUnsafe(Math.min(most, Math.max(next, 2 * room.length)))
        room.copy(larger, 0, 0, size)
        room = larger
      }
      room.set(piece, size)
      size = next
      return true
    },
    bytes: () => room.subarray(0, size),
  }
}
