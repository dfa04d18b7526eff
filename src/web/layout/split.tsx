import { useRef, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react'
import { change, settings } from '../state/settings.ts'
import { useStore } from '../state/use-store.ts'

interface SplitProps {
  left: ReactNode
  right: ReactNode
  /** Without a right side the left one has all the room. */
  isSplit: boolean
}

const smallest = 0.25
const largest = 0.8
const step = 0.03
/** Until somebody moves the bar, the terminal has 80 columns and the chat the rest, up to a half or so. */
const ownPlace = { share: 0.395, basis: 'clamp(39.5%, 100% - 640px, 52%)' }

/** Chat and terminal side by side; the bar between them is dragged, or moved with the arrows. */
export function Split({ left, right, isSplit }: SplitProps) {
  const { split } = useStore(settings)
  const box = useRef<HTMLDivElement>(null)
  const set = (share: number) => change({ split: Math.min(largest, Math.max(smallest, share)) })

  /** The bar is moved from where it is. */
  function stay(): void {
    const [room, chat] = [box.current, box.current?.firstElementChild]
    if (split === null && room && chat) set(chat.clientWidth / room.clientWidth)
  }

  function onMove(event: PointerEvent): void {
    const rect = box.current?.getBoundingClientRect()
    if (!rect || !event.currentTarget.hasPointerCapture(event.pointerId)) return
    set((event.clientX - rect.left) / rect.width)
  }

  function onKey(event: KeyboardEvent): void {
    const move = { ArrowLeft: -step, ArrowRight: step }[event.key]
    if (move === undefined) return
    event.preventDefault()
    set((split ?? ownPlace.share) + move)
  }

  return (
    <div className="split" ref={box}>
      <div className="split-left" style={isSplit ? { flexBasis: basisOf(split) } : undefined}>
        {left}
      </div>
      {isSplit && (
        <div
          className="split-bar"
          role="separator"
          tabIndex={0}
          aria-orientation="vertical"
          aria-label="Room for the chat"
          aria-valuemin={smallest * 100}
          aria-valuemax={largest * 100}
          aria-valuenow={Math.round((split ?? ownPlace.share) * 100)}
          onFocus={stay}
          onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
          onPointerMove={onMove}
          onKeyDown={onKey}
        />
      )}
      {isSplit && <div className="split-right">{right}</div>}
    </div>
  )
}

const basisOf = (split: number | null) => (split === null ? ownPlace.basis : `${split * 100}%`)
