import type { Ask } from '../../view/fold/entry.ts'
import { collapse, onACard } from '../../view/text/collapse.ts'
import { askedAgain, causeLine } from '../../view/words/ask.ts'
import { LinkButton } from '../parts/buttons.tsx'
import { CommandText } from '../text/command-text.tsx'
import { linesOf } from './long-text.tsx'

/** More of the command than fits beside its question. */
export const isLong = ({ command, effective }: Ask) =>
  [command, effective].some((text) => collapse(text, onACard).hiddenLines > 0)

interface AskCommandProps {
  ask: Ask
  /** All of it is to be seen. */
  isWhole: boolean
  onWhole: () => void
}

/** The exact command. A yes to a part of it would be a yes to what nobody has read. */
export function AskCommand({ ask: { command }, isWhole, onWhole }: AskCommandProps) {
  const { shown, hiddenLines } = collapse(command, onACard)
  return (
    <>
      <pre
        className={`ask-command${isWhole || hiddenLines === 0 ? '' : ' is-clipped'}`}
        tabIndex={0}
        aria-label="The exact command"
      >
        <CommandText command={isWhole ? command : shown} />
      </pre>
      {!isWhole && (
        <p className="ask-clipped">
          <LinkButton onClick={onWhole}>Show all ({linesOf(lineCount(command))})</LinkButton>{' '}
          <kbd>a</kbd> <span>It runs only after all of it was shown.</span>
        </p>
      )}
    </>
  )
}

const lineCount = (text: string) => text.trimEnd().split('\n').length

/** The place where it would run, its effective command, and why somebody is asked. */
export function AskFacts({ ask, isWhole }: { ask: Ask; isWhole: boolean }) {
  const { command, effective, cwd, reasons } = ask
  const runs = isWhole ? effective : collapse(effective, onACard).shown
  return (
    <dl>
      {effective !== command && effective !== '' && (
        <Fact name="What really runs" texts={[runs]} isCode />
      )}
      {cwd !== null && <Fact name="In" texts={[cwd]} isCode />}
      {ask.isAgain && <Fact name="Asked again" texts={[askedAgain]} />}
      {reasons.length > 0 && (
        <div>
          <dt>Why it asks</dt>
          {reasons.map((reason) => (
            <Reason key={reason} reason={reason} line={causeLine(ask, reason)} />
          ))}
        </div>
      )}
    </dl>
  )
}

/** A reason, and below it the part that it is of and where that really acts. */
function Reason({ reason, line }: { reason: string; line: string | null }) {
  return (
    <>
      <dd>
        <CommandText command={reason} />
      </dd>
      {line !== null && (
        <dd className="is-code">
          <CommandText command={line} />
        </dd>
      )}
    </>
  )
}

interface FactProps {
  name: string
  texts: readonly string[]
  isCode?: boolean
}

function Fact({ name, texts, isCode = false }: FactProps) {
  return (
    <div>
      <dt>{name}</dt>
      {texts.map((text) => (
        <dd key={text} className={isCode ? 'is-code' : undefined}>
          <CommandText command={text} />
        </dd>
      ))}
    </div>
  )
}
