export interface RestLater {
  soon(): void
  close(): void
}

export interface RestLaterOptions {
  isWatched(): boolean
  /** At a prompt no query is on its way, so none is lost when the holder answers again. */
  isBusy(): boolean
  rest(): void
}

/** After this long without a viewer the emulator stops following: a reload is quicker. */
const restMs = 30_000

export function restLater({ isWatched, isBusy, rest }: RestLaterOptions): RestLater {
  let timer: NodeJS.Timeout | undefined

  function soon(): void {
    clearTimeout(timer)
    timer = setTimeout(() => {
      if (isWatched()) return
      if (isBusy()) soon()
      else rest()
    }, restMs).unref()
  }

  return { soon, close: () => clearTimeout(timer) }
}
