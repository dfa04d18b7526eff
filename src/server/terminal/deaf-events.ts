import type { HolderEvents } from './holder-client.ts'

/** For a connection that only asks for something. */
export function deafEvents(onClose: () => void = ignore): HolderEvents {
  return {
    onData: ignore,
    onMark: ignore,
    onExit: ignore,
    onKept: ignore,
    onUninjected: ignore,
    onClose,
  }
}

function ignore(): void {}
