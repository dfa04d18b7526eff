import { lazy, Suspense, useRef, useState } from 'react'
import type { View } from '../../view/fold/view.ts'
import { meterWords } from '../../view/words/meter.ts'
import { useDismiss } from '../parts/focus.ts'

const Detail = lazy(() =>
  import('./meter-detail.tsx').then((module) => ({ default: module.MeterDetail })),
)

/** How full the model is and what the session cost; the rest of the figures is behind it. */
export function Meter({ view }: { view: View }) {
  const [isOpen, setOpen] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const close = () => {
    setOpen(false)
    button.current?.focus()
  }
  useDismiss(box, isOpen, () => setOpen(false))
  const words = meterWords(view)
  if (words === null) return null
  return (
    <div
      className="meter"
      ref={box}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && isOpen) close()
      }}
    >
      <button
        ref={button}
        className={`status-button${words.isNearlyFull ? ' is-full' : ''}`}
        type="button"
        aria-expanded={isOpen}
        aria-label={`Usage: ${words.short}`}
        title="Tokens as the provider counts them, and what they cost"
        onClick={() => setOpen(!isOpen)}
      >
        {words.short}
        {words.isBroken && <strong> · prefix broken</strong>}
      </button>
      {isOpen && (
        <Suspense fallback={null}>
          <Detail words={words} onDone={close} />
        </Suspense>
      )}
    </div>
  )
}
