import { replyTags, type ReplyTag } from '../../protocol/reply-tags.ts'

/** A stretch of a reply: prose to be read as Markdown, or something between tags. */
export type Segment =
  | { kind: 'prose'; source: string }
  | { kind: 'tag'; tag: ReplyTag['name']; body: string; isOpen: boolean }

/** A reply with its tags set apart, to be drawn as what they do. The stored text stays as it is. */
export function segmentsOf(text: string): readonly Segment[] {
  const segments: Segment[] = []
  let end = 0
  const prose = (to: number) => {
    const source = text.slice(end, to)
    if (source.trim() !== '') segments.push({ kind: 'prose', source })
  }
  for (const { from, to, name, keys, inner, isClosed } of replyTags(text)) {
    prose(from)
    segments.push({ kind: 'tag', tag: name, body: keys ?? inner.trim(), isOpen: !isClosed })
    end = to
  }
  prose(text.length)
  return segments
}
