import type { Link } from '../../client/feed.ts'
import type { View } from '../../view/view.ts'
import { dialog } from '../state/dialog.ts'
import { useSession } from '../state/session.ts'
import { folderName } from '../sessions/title-of.ts'
import { EyeOffIcon } from './icons.tsx'
import { Connection } from './connection.tsx'
import { Meter } from './meter.tsx'

interface StatusBarProps {
  view: View
  link: Link
  model: string | null
  onAsk: () => void
}

/** One quiet line: the line's state, who is asked, where the shell is, what the turn cost. */
export function StatusBar({ view, link, model, onAsk }: StatusBarProps) {
  const { update } = useSession()
  const { state, terminal, lastTurn, lastRequest } = view
  const cwd = terminal?.cwd ?? state.shell.cwd
  const asks = state.asks.length
  return (
    <div className="status-bar">
      <Connection link={link} />
      {asks > 0 && (
        <button className="status-ask" type="button" onClick={onAsk} title="Go to it (Alt+A)">
          {asks === 1 ? '1 approval waits' : `${asks} approvals wait`}
        </button>
      )}
      <button
        className="status-button"
        type="button"
        title={model === null ? 'Choose the model' : `Choose the model; now ${model}`}
        onClick={() => dialog.set('models')}
      >
        <ModelName name={model ?? 'model'} />
      </button>
      <label className="status-select" title="What the model’s commands need before they run">
        <span className="sr-only">Approval</span>
        <select
          value={state.approval}
          onChange={(event) => {
            const mode = modes.find((each) => each === event.target.value)
            if (mode) void update({ approval: mode })
          }}
        >
          {modes
            .filter((mode) => offered.has(mode) || mode === state.approval)
            .map((mode) => (
              <option key={mode}>{mode}</option>
            ))}
        </select>
      </label>
      <button
        className={`status-button is-switch${state.private ? ' is-on' : ''}`}
        type="button"
        role="switch"
        aria-checked={state.private}
        title="While private, the model sees nothing of what is run"
        onClick={() => void update({ private: !state.private })}
      >
        <EyeOffIcon /> <span className="status-word">private</span>
      </button>
      {cwd !== null && (
        <span className="status-cwd" title={`The shell is in ${cwd}`}>
          <bdi>{folderName(cwd)}</bdi>
        </span>
      )}
      <Meter turn={lastTurn} last={lastRequest} />
    </div>
  )
}

/** Where there is little room, the provider is left to the title. */
function ModelName({ name }: { name: string }) {
  const start = name.indexOf('/') + 1
  return (
    <span className="status-model">
      {start > 0 && <span className="status-provider">{name.slice(0, start)}</span>}
      {name.slice(start)}
    </span>
  )
}

/** A session may be in any of them; what is offered is what a person gains from. */
const modes = ['ask-all', 'guarded', 'trusted-session', 'refuse'] as const
const offered: ReadonlySet<string> = new Set(['ask-all', 'guarded'])
