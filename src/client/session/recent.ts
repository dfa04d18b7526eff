import { exposedMs, type Composer } from './composer.ts'

/** The lines that stood in the composer of late, and how much of one was typed just now. */
export function createRecent(
  { get, subscribe }: Pick<Composer, 'get' | 'subscribe'>,
  now: () => number,
) {
  const line = () => ({ at: now(), text: get().text, placed: get().placed })
  let lines = [line()]

  /** The first of them is the line that stood there so long before. */
  const since = (at: number) =>
    lines.slice(
      Math.max(
        0,
        lines.findLastIndex((each) => each.at <= at - exposedMs),
      ),
    )

  const stop = subscribe(() => {
    if (get().text !== lines.at(-1)?.text) lines = [...since(now()), line()]
  })

  return {
    stop,
    begin(): void {
      lines = [line()]
    },
    /** The part of a line that stood there before, and the part that was typed just now. */
    split(whole: string): { kept: string; rest: string } {
      const last = lines.findLast(({ text }) => text === whole)
      if (last === undefined) return { kept: '', rest: whole }
      const [first = last, ...rest] = since(last.at).filter(({ at }) => at <= last.at)
      // A line that was sent, cleared or put there from elsewhere begins anew.
      const { text: kept } = rest.reduce((base, next) => {
        const isTyped = next.placed === base.placed && next.text.startsWith(base.text)
        return isTyped ? base : next
      }, first)
      return { kept, rest: whole.slice(kept.length) }
    },
  }
}
