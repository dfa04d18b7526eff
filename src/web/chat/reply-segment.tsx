import { lazy, memo, Suspense } from 'react'
import type { Segment } from '../markdown/segments.ts'
import { CommandText } from '../text/command-text.tsx'

/** Loaded beside the page, not before it: the first reply takes longer than that to come. */
const loadProse = () => import('../markdown/prose.tsx')
const Prose = lazy(() => loadProse().then((module) => ({ default: module.Prose })))
requestIdleCallback(() => void loadProse())

export const SegmentView = memo(
  function SegmentView({ segment, isOpen }: { segment: Segment; isOpen: boolean }) {
    if (segment.kind === 'prose')
      return (
        <Suspense fallback={<p className="plain-text">{segment.source}</p>}>
          <Prose source={segment.source} isOpen={isOpen} />
        </Suspense>
      )
    return (
      <div className={`tag-block is-${segment.tag}`}>
        <span className="tag-block-sign" aria-hidden="true">
          {signs[segment.tag]}
        </span>
        <code>
          {segment.tag === 'interrupt' ? 'Ctrl+C' : <CommandText command={segment.body} />}
        </code>
      </div>
    )
  },
  (before, after) => before.isOpen === after.isOpen && isSame(before.segment, after.segment),
)

const signs = { shell: '$', input: '⌨', interrupt: '⏹' } as const

/** Segments are made anew with each delta; finished ones say the same. */
function isSame(a: Segment, b: Segment): boolean {
  if (a.kind === 'prose') return b.kind === 'prose' && a.source === b.source
  return b.kind === 'tag' && a.tag === b.tag && a.body === b.body && a.isOpen === b.isOpen
}
