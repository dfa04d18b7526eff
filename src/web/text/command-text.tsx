import { nameOf, piecesOf } from '../../view/text/hidden-characters.ts'

/** A command exactly as it is: nothing in it can hide, or turn the direction of what stands around. */
export function CommandText({ command }: { command: string }) {
  return (
    <bdi className="command-text" dir="ltr">
      {piecesOf(command).map((piece, at) =>
        piece.kind === 'text' ? (
          piece.text
        ) : (
          <span key={at} className="hidden-character" title="a character that cannot be seen">
            {nameOf(piece.character)}
          </span>
        ),
      )}
    </bdi>
  )
}
