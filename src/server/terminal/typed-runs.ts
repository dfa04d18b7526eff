import { isComment } from '../../protocol/is-comment.ts'
import type { TypedEnded, TypedStarted } from '../../session/report.ts'
import { createPlainText } from './plain-text.ts'
import type { Mark, Place, TypedText } from './read-mark.ts'

type Typed = Omit<TypedStarted, 'type' | 'generation'>
/** How it ended, as far as the shell says it; what is still kept of its output is not known here. */
type Ended = Omit<TypedEnded, 'type' | 'generation' | 'omitted'>

export interface TypedRunsDeps {
  shellPid: number
  onStart: (typed: Typed) => void
  /** `seq`: the mark that ended it. */
  onEnd: (ended: Ended, seq: number) => void
}

/** What a person runs by typing at the prompt, told apart from what was brought into the line for a run. */
export interface TypedRuns {
  onMark: (mark: Mark) => void
  onData: (bytes: Buffer) => void
  /** The one that goes on. */
  current: () => Typed | null
}

interface OpenTyped extends Typed {
  from: Place
  to: (Mark & { kind: 'output-end' }) | null
  /** Where a shell that runs in it was adopted: what follows is not its own. */
  adoptedAt: number | null
}

/** The echo of a line that is compared with the history is not longer. */
const maxEchoBytes = 16 * 1024

export function createTypedRuns({ shellPid, onStart, onEnd }: TypedRunsDeps): TypedRuns {
  let open: OpenTyped | null = null
  let isInjected = false
  let nextLine: number | null = null
  let echo: Buffer[] = []
  let echoBytes = 0

  function start(mark: Mark & { kind: 'output-start' }): void {
    if (open !== null || isInjected || mark.typed === null) return
    const command = commandOf(mark.typed)
    // fish executes comments, too.
    if (command !== '' && isComment(command)) return
    open = { command, ptyFrom: mark.offset, from: mark, to: null, adoptedAt: null }
    onStart({ command, ptyFrom: mark.offset })
  }

  /** bash names the newest line of its history, which need not be this one: some are left out of it. */
  function commandOf({ text, length, line }: TypedText): string {
    const isNew = line === null || nextLine === null || line !== nextLine
    if (!isNew && !isEchoOf(Buffer.concat(echo).toString('utf8'), text)) return ''
    const missing = length - text.length
    return missing > 0 && text.length >= cutChars ? `${text}… (${missing} more)` : text
  }

  function end(mark: Mark & { kind: 'prompt' }): void {
    if (open === null) return
    const { command, ptyFrom, from, to, adoptedAt } = open
    open = null
    const { time, seq } = to ?? mark
    const offset = adoptedAt ?? (to ?? mark).offset
    onEnd(
      {
        command,
        ptyFrom,
        ptyTo: offset,
        bytes: offset - ptyFrom,
        durationMs: Math.max(0, Math.round(time - from.time)),
        exitCode: to?.code ?? mark.code,
        cwdAfter: to?.cwd ?? null,
      },
      seq,
    )
  }

  return {
    onMark(mark) {
      if (mark.kind === 'loaded') isInjected = true
      else if (mark.kind === 'output-start') start(mark)
      else if (mark.kind === 'integrated' && open !== null) open.adoptedAt ??= mark.offset
      else if (mark.kind === 'output-end' && mark.pid === shellPid) {
        isInjected = false
        if (open !== null) open.to = mark
      } else if (mark.kind === 'prompt' && mark.pid === shellPid) {
        end(mark)
        nextLine = mark.line
        echo = []
        echoBytes = 0
      }
    },
    onData(bytes) {
      if (open !== null || echoBytes > maxEchoBytes) return
      echo.push(bytes)
      echoBytes += bytes.length
    },
    current: () => open,
  }
}

/** What the integrations tell of a long line. */
const cutChars = 2000

/** Whether the line on the screen says the same, blanks aside; one that begins with a blank never does. */
function isEchoOf(echo: string, text: string): boolean {
  let shown = ''
  const plain = createPlainText((part) => {
    shown += part
  })
  plain.feed(echo)
  shown += plain.pending()
  return !/^\s/.test(shown) && shown.replaceAll(/\s/g, '') === text.replaceAll(/\s/g, '')
}
