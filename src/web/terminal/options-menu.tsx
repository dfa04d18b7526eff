import { useStore } from '../state/store.ts'
import { terminalKeys } from './keys.ts'
import { options, setOption } from './options.ts'

export function OptionsMenu() {
  const { isSpoken, copiesSelection } = useStore(options)
  return (
    <details className="terminal-options">
      <summary aria-label="Terminal options">⋯</summary>
      <div className="terminal-menu">
        <label>
          <input
            type="checkbox"
            checked={copiesSelection}
            onChange={(event) => setOption({ copiesSelection: event.target.checked })}
          />
          Copy what is selected
        </label>
        <label>
          <input
            type="checkbox"
            checked={isSpoken}
            onChange={(event) => setOption({ isSpoken: event.target.checked })}
          />
          Screen reader mode
        </label>
        <dl>
          {terminalKeys.map(({ keys, does }) => (
            <div key={keys}>
              <dt>
                <kbd>{keys}</kbd>
              </dt>
              <dd>{does}</dd>
            </div>
          ))}
        </dl>
      </div>
    </details>
  )
}
