import type { MeterWords } from '../../view/words/meter.ts'
import { LinkButton } from '../parts/buttons.tsx'
import { useSession } from '../state/session.ts'

/** Every figure that is known of a session's use. */
export function MeterDetail({ words, onDone }: { words: MeterWords; onDone: () => void }) {
  const { submit } = useSession()
  return (
    <div className="meter-detail" role="region" aria-label="Usage">
      <dl>
        {words.rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {words.isNearlyFull && (
        <LinkButton
          onClick={() => {
            submit('/compact')
            onDone()
          }}
        >
          Compact: start anew with a summary
        </LinkButton>
      )}
      <p className="meter-note">
        Tokens as the provider counts them; money at list prices, or at yours.
      </p>
    </div>
  )
}
