import { memo, lazy, Suspense } from 'react'
import type { Segment } from '../../view/rows/segments.ts'
import { Boundary } from '../parts/boundary.tsx'
import { loadWhenIdle } from '../parts/focus.ts'
import { CommandText } from '../text/command-text.tsx'
import { LongText } from './long-text.tsx'

/** Loaded beside the page, not before it: the first reply takes longer than that to come. */
const loadProse = () => import('../markdown/prose.tsx')
const Prose = lazy(() => loadProse().then((module) => ({ default: module.Prose })))
loadWhenIdle(loadProse)

/** A stretch of what a model wrote. */
export const SegmentView = memo(
  function SegmentView({ segment, isOpen }: { segment: Segment; isOpen: boolean }) {
    if (segment.kind === 'prose') {
      const plain = <p className="plain-text">{segment.source}</p>
      return (
        <Boundary fallback={plain}>
          <Suspense fallback={plain}>
            <Prose source={segment.source} isOpen={isOpen} />
          </Suspense>
        </Boundary>
      )
    }
    if (segment.kind === 'rest')
      return (
        <div className="plain-text">
          <LongText text={segment.source} />
        </div>
      )
    return (
      <div className={`tag-block is-${segment.tag}`}>
        <span className="tag-block-sign" aria-hidden="true">
          {signs[segment.tag]}
        </span>
        <code>
          {segment.tag === 'interrupt' || segment.tag === 'screen' ? (
            words[segment.tag]
          ) : (
            <LongText text={segment.body} draw={(command) => <CommandText command={command} />} />
          )}
        </code>
      </div>
    )
  },
  (before, after) => before.isOpen === after.isOpen && isSame(before.segment, after.segment),
)

const signs = { shell: '$', input: '⌨', interrupt: '⏹', screen: '▤' } as const
const words = { interrupt: 'Ctrl+C', screen: 'look at the terminal' } as const

/** Segments are made anew with each delta; finished ones say the same. */
function isSame(a: Segment, b: Segment): boolean {
  if (a.kind !== 'tag') return b.kind === a.kind && a.source === b.source
  return b.kind === 'tag' && a.tag === b.tag && a.body === b.body && a.isOpen === b.isOpen
}
