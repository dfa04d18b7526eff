import type { ReplyDelta } from '../model.ts'
import type { BlockDelta, BlockStart, StreamEvent } from './event.ts'
import type { Opaque } from './wire.ts'

/** One block of a reply: its text and thoughts are given as they come, the rest at its end. */
function createBlock(start: BlockStart) {
  const { type } = start
  let args = ''
  let signature = ''
  let shows = false

  function show(kind: 'text' | 'thinking', text: string): readonly ReplyDelta[] {
    if (text === '') return []
    shows = true
    return [{ type: kind, text }]
  }

  /** A thought without a word is one all the same. */
  function closeThought(opaque: Opaque): readonly ReplyDelta[] {
    const close: ReplyDelta = { type: 'close', opaque: JSON.stringify(opaque) }
    return shows ? [close] : [{ type: 'thinking', text: '' }, close]
  }

  return {
    add(delta: BlockDelta): readonly ReplyDelta[] {
      if (type === 'text' || type === 'thinking') {
        signature += delta.signature
        return show(type, delta[type])
      }
      args += delta.partial_json
      return []
    },
    close(): readonly ReplyDelta[] {
      const { id, name, input, data } = start
      if (type === 'tool_use')
        return [{ type: 'call', id, name, args: args || JSON.stringify(input ?? {}) }]
      if (type === 'redacted_thinking') return closeThought({ redacted: data })
      if (type === 'thinking' && signature !== '') return closeThought({ signature })
      return shows ? [{ type: 'close' }] : []
    },
    held: () => args.length + signature.length,
  }
}

interface OpenBlock extends ReturnType<typeof createBlock> {
  index: number | null
  /** Kept back while a block that began before it is open. */
  waiting: ReplyDelta[]
  isClosed: boolean
}

/** The blocks of a reply, in the order in which they began. Several may be open at once: their index tells them apart. */
export function createBlocks() {
  let open: readonly OpenBlock[] = []

  const find = (index: number | null | undefined) =>
    open.findLast((one) => !one.isClosed && (index == null || one.index === index))

  function begin({ index = null, content_block: start }: Starts): void {
    // A block without an end of its own ends where the next one takes its place.
    close(find(index))
    const begun = { ...createBlock(start), index, waiting: [], isClosed: false }
    open = [...open, begun]
    const { text, thinking, signature } = start
    add(begun, { text, thinking, signature, partial_json: '' })
  }

  function add(block: OpenBlock | undefined, delta: BlockDelta): void {
    block?.waiting.push(...block.add(delta))
  }

  function close(block: OpenBlock | undefined): void {
    if (!block) return
    block.waiting.push(...block.close())
    block.isClosed = true
  }

  /** Everything of the blocks that are closed, and of the one after them. */
  function given(): readonly ReplyDelta[] {
    const first = open.findIndex((one) => !one.isClosed)
    const upTo = first === -1 ? open.length : first
    const deltas = open.slice(0, upTo + 1).flatMap((one) => one.waiting.splice(0))
    open = open.slice(upTo)
    return deltas
  }

  return {
    read(event: StreamEvent): readonly ReplyDelta[] {
      if (event.type === 'content_block_start') begin(event)
      else if (event.type === 'content_block_delta') add(find(event.index), event.delta)
      else if (event.type === 'content_block_stop') close(find(event.index))
      return given()
    },
    /** A message that ends well closes the blocks that nobody closed. */
    end(): readonly ReplyDelta[] {
      for (const one of open) if (!one.isClosed) close(one)
      return given()
    },
    /** Characters that have come and are not given out yet. */
    held: () => open.reduce((sum, one) => sum + one.held() + sizeOf(one.waiting), 0),
  }
}

type Starts = Extract<StreamEvent, { type: 'content_block_start' }>

function sizeOf(deltas: readonly ReplyDelta[]): number {
  return deltas.reduce((sum, delta) => sum + ('text' in delta ? delta.text.length : 1), 0)
}
