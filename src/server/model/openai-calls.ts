import { z } from 'zod'
import type { RawCall } from '../../protocol/message.ts'

/** Some servers send the arguments as the object they stand for. */
const Args = z
  .unknown()
  .optional()
  .transform((args) => (typeof args === 'string' ? args : args == null ? '' : JSON.stringify(args)))

/** A piece of a native call, as chat completions stream it. */
export const CallPiece = z.object({
  index: z.number().nullish(),
  id: z.string().nullish(),
  function: z.object({ name: z.string().nullish(), arguments: Args }).nullish(),
})
export type CallPiece = z.infer<typeof CallPiece>

interface OpenCall {
  index: number | null
  id: string
  name: string
  args: string
}

/** Puts native calls together. Arguments are kept exactly as they came. */
export interface CallAssembly {
  add(piece: CallPiece): void
  /** How long the arguments are so far. */
  readonly length: number
  readonly count: number
  /** In the order in which they began; one without an id gets one that begins with `prefix`. */
  calls(prefix: string): readonly RawCall[]
}

export function createCallAssembly(): CallAssembly {
  const open: OpenCall[] = []
  let length = 0

  /** OpenAI numbers the calls and names each once. Others send whole calls, without a number or all as 0. */
  function find({ index, id, function: made }: CallPiece): OpenCall | undefined {
    const last = open.findLast((call) => index == null || call.index === index)
    if (last === undefined || !made?.name) return last
    if (id) return last.id === id || last.id === '' ? last : undefined
    return isWhole(last.args) ? undefined : last
  }

  return {
    add(piece) {
      const { index = null, id, function: made } = piece
      let call = find(piece)
      if (call === undefined) {
        call = { index, id: '', name: '', args: '' }
        open.push(call)
      }
      call.id ||= id ?? ''
      call.name ||= made?.name ?? ''
      call.args += made?.arguments ?? ''
      length += made?.arguments.length ?? 0
    },
    get length() {
      return length
    },
    get count() {
      return open.length
    },
    calls: (prefix) =>
      open.map(({ id, name, args }, at) => ({
        type: 'call',
        id: id || `${prefix}_${at}`,
        name,
        args,
      })),
  }
}

function isWhole(args: string): boolean {
  try {
    JSON.parse(args)
    return true
  } catch {
    return false
  }
}
