import type { Piece } from './byte-stream.ts'

/**
 * One live screen, from when somebody looks until nobody does. Queries before `answersFrom` are the
 * holder's to answer, those after it the emulator's; null: the holder has not said yet where that is.
 */
export type ScreenLife =
  | { phase: 'off' }
  /** It is drawn from the log; the stream's next pieces are held meanwhile. */
  | { phase: 'opening'; openedAt: number; answersFrom: number | null; held: readonly Piece[] }
  | { phase: 'open'; openedAt: number; answersFrom: number | null }
  /** The emulator died, and another one is started in a moment. */
  | { phase: 'lost' }
  /** It sits a flood out: drawing that would cost the command more than all else that is done with it. */
  | { phase: 'asleep'; wasAlternate: boolean }
  | { phase: 'closed' }

export type ScreenNews =
  /** Somebody looks, or the time to wake up has come. */
  | { type: 'wanted'; now: number }
  | { type: 'opened' }
  | { type: 'failed' }
  /** The next piece, and how the open screen stands: bytes it has not drawn, and the end of what it got. */
  | { type: 'fed'; piece: Piece; lag: number; end: number; isAlternate: boolean; now: number }
  | { type: 'answers-from'; offset: number | null }
  | { type: 'lost'; now: number }
  | { type: 'rest' }
  | { type: 'close' }

export type ScreenEffect =
  /** Opens a screen and draws it from the log up to the stream's end. */
  | { type: 'draw' }
  /** Shows old bytes, whose queries are answered already, then new ones. */
  | { type: 'show'; old: Uint8Array; fresh: Uint8Array }
  | { type: 'drop' }
  /** Takes the answering of queries over from the holder, or gives it back. */
  | { type: 'take-answers'; on: boolean }
  | { type: 'tell-alternate' }
  /** Sets the one timer, which says `wanted`; moves it on; takes it back. */
  | { type: 'wake'; ms: number }
  | { type: 'put-off' }
  | { type: 'stay' }

interface ScreenStep {
  life: ScreenLife
  effects: readonly ScreenEffect[]
}

/** A flood: nobody reads what scrolls by, so the screen is drawn when it is over, or asked for. */
const maxLagBytes = 8 * 1024 * 1024
/** So long without output, a flood is over. */
const calmMs = 100
/** An emulator that dies of what it is shown must not be restarted without end. */
const againMs = 1_000

const takeAnswers: ScreenEffect = { type: 'take-answers', on: true }
const giveAnswersBack: ScreenEffect = { type: 'take-answers', on: false }

/** The one place that changes a live screen's life. */
export function hearScreen(life: ScreenLife, news: ScreenNews): ScreenStep {
  switch (news.type) {
    case 'wanted':
      return isDrawn(life) || life.phase === 'closed'
        ? step(life)
        : open(news.now, { type: 'stay' })
    case 'opened':
      return life.phase === 'opening' ? opened(life) : step(life)
    case 'failed':
      return life.phase === 'opening' ? step({ phase: 'off' }, giveAnswersBack) : step(life)
    case 'fed':
      return fed(life, news)
    case 'answers-from':
      return isDrawn(life) ? step({ ...life, answersFrom: news.offset }) : step(life)
    case 'lost':
      return life.phase === 'open' ? lost(life, news.now) : step(life)
    case 'rest':
      return rest(life)
    case 'close':
      return step({ phase: 'closed' }, { type: 'stay' }, { type: 'drop' })
    default:
      return news satisfies never
  }
}

/** It is on the screen's way to those who look, or there already. */
export function isDrawn(
  life: ScreenLife,
): life is Extract<ScreenLife, { phase: 'opening' | 'open' }> {
  return life.phase === 'opening' || life.phase === 'open'
}

function open(now: number, before: ScreenEffect): ScreenStep {
  return step(
    { phase: 'opening', openedAt: now, answersFrom: null, held: [] },
    before,
    takeAnswers,
    { type: 'draw' },
  )
}

function opened({
  openedAt,
  answersFrom,
  held,
}: Extract<ScreenLife, { phase: 'opening' }>): ScreenStep {
  return step(
    { phase: 'open', openedAt, answersFrom },
    ...held.map((piece) => show(piece, answersFrom)),
  )
}

function fed(life: ScreenLife, news: Extract<ScreenNews, { type: 'fed' }>): ScreenStep {
  const { piece, lag, end, isAlternate, now } = news
  if (life.phase === 'opening') return step({ ...life, held: [...life.held, piece] })
  if (life.phase === 'asleep') return step(life, { type: 'put-off' })
  if (life.phase !== 'open') return step(life)
  if (lag > maxLagBytes)
    return step({ phase: 'asleep', wasAlternate: isAlternate }, { type: 'drop' }, giveAnswersBack, {
      type: 'wake',
      ms: calmMs,
    })
  // The stream jumped: the log has what lies between.
  if (end !== piece.offset) return open(now, { type: 'drop' })
  return step(life, show(piece, life.answersFrom))
}

function lost({ openedAt }: { openedAt: number }, now: number): ScreenStep {
  const ms = Math.max(0, openedAt + againMs - now)
  return step(
    { phase: 'lost' },
    { type: 'drop' },
    giveAnswersBack,
    { type: 'tell-alternate' },
    { type: 'wake', ms },
  )
}

function rest(life: ScreenLife): ScreenStep {
  if (life.phase === 'open') return step({ phase: 'off' }, { type: 'drop' }, giveAnswersBack)
  const isWaiting = life.phase === 'asleep' || life.phase === 'lost'
  return isWaiting ? step({ phase: 'off' }, { type: 'stay' }) : step(life)
}

function show({ offset, bytes }: Piece, answersFrom: number | null): ScreenEffect {
  const old = answersFrom === null ? bytes.length : Math.max(0, answersFrom - offset)
  return { type: 'show', old: bytes.subarray(0, old), fresh: bytes.subarray(old) }
}

function step(life: ScreenLife, ...effects: readonly ScreenEffect[]): ScreenStep {
  return { life, effects }
}
