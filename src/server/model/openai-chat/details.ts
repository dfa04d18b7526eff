import { z } from 'zod'

/** OpenRouter tells thoughts in pieces of several kinds; some only their provider can read. */
export const Detail = z.looseObject({
  type: z.string(),
  index: z.number().nullish().catch(null),
})
export type Detail = z.infer<typeof Detail>

/** The fields that are streamed in pieces. */
const streamed = ['text', 'summary', 'data'] as const

/** Puts the details of a thought together as they were before they were streamed: pieces of one number are one detail. */
export function createDetails() {
  const open: Detail[] = []
  let length = 0

  function add(piece: Detail): void {
    length += JSON.stringify(piece).length
    const last = open.at(-1)
    if (last && isNext(last, piece)) open[open.length - 1] = joined(last, piece)
    else open.push(piece)
  }

  return { add, length: () => length, all: (): readonly Detail[] => open }
}

/** Gateways number the secrets of all calls alike, and name each by its call. */
function isNext(last: Detail, piece: Detail): boolean {
  const isOther = last['id'] != null && piece['id'] != null && last['id'] !== piece['id']
  return last.type === piece.type && last.index === piece.index && !isOther
}

function joined(before: Detail, piece: Detail): Detail {
  const said = Object.entries(piece).filter(([, value]) => value !== null && value !== undefined)
  const texts = streamed.flatMap((name) => {
    const [start, end] = [before[name], piece[name]]
    return typeof start === 'string' && typeof end === 'string' ? [[name, start + end]] : []
  })
  return { ...before, ...Object.fromEntries([...said, ...texts]) }
}

/** The words of a piece, where the server does not repeat them as `reasoning`. */
export function wordsOf({ text, summary }: Detail): string {
  return typeof text === 'string' ? text : typeof summary === 'string' ? summary : ''
}
