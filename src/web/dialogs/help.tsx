import { askKeyHelp } from '../../view/ask-keys.ts'
import { closeDialog } from '../state/panels.ts'
import type { PageAction } from '../layout/use-actions.ts'
import { Dialog } from './dialog.tsx'
import { useCommands } from './use-commands.ts'
import { Button } from '../parts/buttons.tsx'

const typing = [
  ['Enter', 'send; Shift+Enter, Alt+Enter, Ctrl+J or a trailing \\ make a new line'],
  ['↑ ↓', 'earlier inputs that begin like this'],
  ['Ctrl+R', 'search earlier inputs'],
  ['Tab', 'take the completion'],
  ['Shift+Tab', 'next mode of approval; F6 leaves the composer backwards instead'],
  ['Esc', 'close what is open, then stop the turn'],
  ['Ctrl+C', 'clear the line, else stop'],
  ['Ctrl+D', 'leave bash mode'],
] as const

const inputs = [
  ['text', 'talk to the model'],
  ['!command', 'run it in the shared shell'],
  ['!!command', 'the same, and the model never sees it'],
  ['!?command', 'the same, and the model says something about it'],
  ['@path', 'give the model a file'],
] as const

/** Keys and commands, the latter as the session tells them. */
export function Help({ actions }: { actions: readonly PageAction[] }) {
  const commands = useCommands()
  return (
    <Dialog title="Help" className="help" onClose={closeDialog}>
      <header>
        <h2>Help</h2>
        <Button onClick={closeDialog}>Close</Button>
      </header>
      <h3>What you can type</h3>
      <Table rows={inputs} />
      <Table rows={commands.map(({ usage, summary }) => [usage, summary] as const)} />
      <h3>Keys</h3>
      <Table
        rows={[
          ...typing,
          ...actions.flatMap(({ keys, label }) =>
            keys === undefined ? [] : [[keys, label] as const],
          ),
        ]}
      />
      <h3>On an approval that has the focus</h3>
      <Table rows={askKeyHelp} />
    </Dialog>
  )
}

function Table({ rows }: { rows: readonly (readonly [string, string])[] }) {
  return (
    <dl className="help-table">
      {rows.map(([name, about]) => (
        <div key={name}>
          <dt>
            <code>{name}</code>
          </dt>
          <dd>{about}</dd>
        </div>
      ))}
    </dl>
  )
}
