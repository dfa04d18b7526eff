import { assertNever } from '../../../../base/assert-never.ts'
import type { FromWorker, OpenOptions, ToWorker } from './messages.ts'
import { renderOutput } from '../output/render-output.ts'
import { createScreen, type Screen } from '../screen/screen.ts'

type Addressed = Exclude<ToWorker, { type: 'open' | 'render' }>

/** The worker's side: screens by their id, one message at a time. */
export function createScreenServer(
  post: (message: FromWorker) => void,
): (message: ToWorker) => void {
  const screens = new Map<number, Screen>()
  /** Answers to the queries of the write that is being parsed. */
  let answered = ''

  function open(screen: number, { checkpoint, ...options }: OpenOptions): void {
    const made = createScreen({
      ...options,
      answer(text) {
        answered += text
      },
      onAlternate: (on) => post({ type: 'alternate', screen, on }),
    })
    screens.set(screen, made)
    if (checkpoint !== undefined) made.restore(checkpoint)
  }

  function serve(message: Addressed, screen: Screen): void {
    switch (message.type) {
      case 'write': {
        const { bytes, offset, isNew } = message
        if (isNew) screen.write(bytes, offset)
        else screen.replay(bytes, offset)
        return
      }
      case 'resize':
        return screen.resize(message.size)
      case 'snapshot':
        return post({ type: 'snapshot', request: message.request, value: screen.snapshot() })
      case 'text':
        return post({ type: 'text', request: message.request, value: screen.text(message.options) })
      case 'close':
        screens.delete(message.screen)
        return screen.close()
      default:
        return assertNever(message)
    }
  }

  /** One screen's fault leaves the others alone: whoever asked is told, and bytes only cost that screen. */
  function guarded(message: ToWorker, work: () => void): void {
    try {
      work()
    } catch (error) {
      if (!('request' in message)) return
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
      post({ type: 'failed', request: message.request, message: text })
    }
  }

  return (message) => {
    guarded(message, () => {
      if (message.type === 'open') return open(message.screen, message.options)
      if (message.type === 'render') {
        const value = renderOutput(message.bytes, message.options)
        return post({ type: 'rendered', request: message.request, value })
      }
      const screen = screens.get(message.screen)
      if (screen !== undefined) return serve(message, screen)
      if ('request' in message) throw new Error(`there is no screen ${message.screen}`)
    })
    if (message.type !== 'write') return
    const { screen } = message
    const offset = message.offset + message.bytes.length
    if (answered !== '') post({ type: 'answer', screen, offset, text: answered })
    answered = ''
    // The sender counts on it, also after a fault.
    post({ type: 'parsed', screen, offset })
  }
}
