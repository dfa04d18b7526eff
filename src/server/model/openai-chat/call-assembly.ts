import { z } from 'zod'
import type { RawCall } from '../../../protocol/events/message.ts'
import { limits } from '../../../protocol/limits.ts'
import type { CallOpaque } from './wire.ts'

/** Some servers send the arguments as the object they stand for. */
const Args = z
  .unknown()
  .optional()
  .transform((args) => (typeof args === 'string' ? args : args == null ? '' : JSON.stringify(args)))

/** A piece of a native call, as chat completions stream it. */
export const CallPiece = z.object({
  index: z.number().nullish(),
  /** NVIDIA’s and MiniMax’ servers number their calls. */
  id: z.union([z.string(), z.number().transform(String)]).nullish(),
  function: z.object({ name: z.string().nullish(), arguments: Args }).nullish(),
  /** Google’s signature of a call. */
  extra_content: z.record(z.string(), z.unknown()).nullish().catch(null),
})
type CallPiece = z.infer<typeof CallPiece>

interface OpenCall {
  index: number | null
  id: string
  name: string
  args: string
  extra: CallOpaque['extra_content'] | null
}

/** Puts native calls together. Arguments are kept exactly as they came. */
export function createCallAssembly() {
  const open: OpenCall[] = []
  let length = 0

  /** OpenAI numbers the calls and names each once. Others send whole calls, without a number or all as 0. */
  function find({ index, id, function: made }: CallPiece): OpenCall | undefined {
    const last = open.findLast((call) => index == null || call.index === index)
    if (last === undefined || !made?.name) return last
    if (id) return last.id === id || last.id === '' ? last : undefined
    return isWhole(last.args) ? undefined : last
  }

  function begin({ index = null }: CallPiece): OpenCall {
    const call = { index, id: '', name: '', args: '', extra: null }
    open.push(call)
    return call
  }

  return {
    add(piece: CallPiece): void {
      const { id, function: made } = piece
      const call = find(piece) ?? begin(piece)
      const { name, arguments: args } = made ?? { name: '', arguments: '' }
      call.id ||= id ?? ''
      call.name ||= name ?? ''
      call.args += args
      call.extra ??= piece.extra_content ?? null
      length += args.length
    },
    /** As with text: arguments that go on and on have reached the limit. */
    isTooLong: () => length > limits.replyChars || open.length > limits.replyCalls,
    /** In the order in which they began. */
    calls: (): readonly RawCall[] => open.map(rawCall),
  }
}

function rawCall({ id, name, args, extra }: OpenCall): RawCall {
  const opaque: CallOpaque | null = extra && { extra_content: extra }
  return { type: 'call', id, name, args, ...(opaque && { opaque: JSON.stringify(opaque) }) }
}

function isWhole(args: string): boolean {
  try {
    JSON.parse(args)
    return true
  } catch {
    return false
  }
}
