import { limits } from '../protocol/limits.ts'

/** Saves the reply so far at most every `draftMs`: what a crash can cost. */
export interface DraftKeeper {
  update(text: string): void
  /** Saves what is not saved yet, for whoever picks the reply up. */
  flush(): void
}

export function createDraftKeeper(save: (text: string) => void): DraftKeeper {
  let timer: NodeJS.Timeout | null = null
  let latest = ''
  return {
    update(text) {
      latest = text
      timer ??= setTimeout(() => {
        timer = null
        save(latest)
      }, limits.draftMs)
    },
    flush() {
      if (timer === null) return
      clearTimeout(timer)
      timer = null
      save(latest)
    },
  }
}
