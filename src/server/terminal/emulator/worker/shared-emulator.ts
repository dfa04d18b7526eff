import { type Emulator, type RemoteScreen, type ScreenEvents, startEmulator } from './emulator.ts'
import type { OpenOptions } from './messages.ts'

export interface SharedScreenEvents extends ScreenEvents {
  /** The worker is gone, and this screen with it; opening another starts a new worker. */
  onLost(): void
}

/** One emulator worker for all sessions: started when it is first needed, and again if it dies. */
export interface SharedEmulator extends Pick<Emulator, 'render' | 'close'> {
  open(options: OpenOptions, events: SharedScreenEvents): RemoteScreen
}

export function shareEmulator({
  entry,
  diagnose,
}: {
  entry: string
  diagnose(message: string, error: unknown): void
}): SharedEmulator {
  let emulator: Emulator | null = null
  const losses = new Set<() => void>()

  function start(): Emulator {
    return startEmulator({
      entry,
      onExit(error) {
        diagnose('the emulator ended and is started again', error)
        emulator = null
        const lost = [...losses]
        losses.clear()
        for (const tell of lost) tell()
      },
    })
  }

  return {
    open(options, events) {
      emulator ??= start()
      const lost = () => events.onLost()
      losses.add(lost)
      const screen = emulator.open(options, events)
      return {
        ...screen,
        close() {
          losses.delete(lost)
          screen.close()
        },
      }
    },
    render: (bytes, options) => (emulator ??= start()).render(bytes, options),
    async close() {
      losses.clear()
      await emulator?.close()
      emulator = null
    },
  }
}

/** For a terminal that nobody looks at through an emulator, as in tests of the shell alone. */
export const noEmulator: SharedEmulator = {
  open() {
    throw new Error('there is no emulator')
  },
  render: async () => null,
  close: async () => undefined,
}
