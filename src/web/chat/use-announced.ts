import { useEffect, useRef } from 'react'
import { statusOf } from '../../view/status.ts'
import type { View } from '../../view/view.ts'
import { announce } from '../state/announcements.ts'

/** What a screen reader is told: that something asks, and the end of a turn that one was there for. */
export function useAnnounced(view: View): void {
  const isAsking = statusOf(view).status === 'asking'
  useEffect(() => {
    if (isAsking) announce('The model asks for your approval')
  }, [isAsking])

  const isTurn = view.state.turn !== null
  const wasTurn = useRef(false)
  useEffect(() => {
    const hasFailed = view.lastTurn?.reason === 'failed'
    if (wasTurn.current && !isTurn)
      announce(hasFailed ? 'The turn has ended: the model failed' : 'The turn has ended')
    wasTurn.current = isTurn
  }, [isTurn, view.lastTurn])
}
