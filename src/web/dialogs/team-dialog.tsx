import { useEffect, useMemo, useState, type FormEvent } from 'react'
import { openTeam } from '../../client/team.ts'
import { usePage } from '../state/page.ts'
import { useStore } from '../state/use-store.ts'
import { closeDialog } from '../state/panels.ts'
import { useSession } from '../state/session.ts'
import { complain } from '../state/toasts.ts'
import { Dialog } from './dialog.tsx'
import { TaskRow } from './task-row.tsx'
import { Button, LinkButton } from '../parts/buttons.tsx'

/** The team's folders, for `/shell`, and its tasks. */
export function TeamDialog({ team }: { team: string }) {
  const { composer } = useSession()
  const { client } = usePage()
  const opened = useMemo(() => openTeam(client, team), [client, team])
  useEffect(() => void opened.refresh().catch(complain), [opened])
  const { repos, tasks } = useStore(opened.work)
  const { change } = opened
  return (
    <Dialog title="Team" className="help" onClose={closeDialog}>
      <header>
        <h2>Team {team}</h2>
        <Button onClick={closeDialog}>Close</Button>
      </header>
      <h3>Repos</h3>
      <ul className="team-rows" aria-label="Repos">
        {repos.map(({ name, path, missing }) => (
          <li key={name}>
            <code>{name}</code>
            <bdi className="one-line">
              {path}
              {missing && ' (not there now)'}
            </bdi>
            <LinkButton
              onClick={() => {
                closeDialog()
                composer.dispatch({ type: 'put', text: `/shell --repo ${name} `, as: 'auto' })
              }}
            >
              Run here
            </LinkButton>
            <LinkButton onClick={() => void change((all) => all.removeRepo(name)).catch(complain)}>
              Forget
            </LinkButton>
          </li>
        ))}
      </ul>
      <AddLine
        label="Add repo"
        placeholder="/home/you/project"
        onAdd={(path) => change((all) => all.addRepo({ path }))}
      />
      <h3>Tasks</h3>
      <ul className="team-rows" aria-label="Tasks">
        {tasks.map((task) => (
          <TaskRow
            key={task.id}
            task={task}
            onMove={(move) => change((all) => all.moveTask(task.id, move))}
          />
        ))}
      </ul>
      <AddLine
        label="Add task"
        placeholder="What is to be done"
        onAdd={(title) => change((all) => all.addTask(title))}
      />
    </Dialog>
  )
}

interface AddLineProps {
  label: string
  placeholder: string
  onAdd: (text: string) => Promise<void>
}

/** A line that adds to the list above it; what was refused stays in it. */
function AddLine({ label, placeholder, onAdd }: AddLineProps) {
  const [text, setText] = useState('')
  function add(event: FormEvent): void {
    event.preventDefault()
    onAdd(text).then(() => setText(''), complain)
  }
  return (
    <form className="add-line" onSubmit={add}>
      <input
        aria-label={label}
        placeholder={placeholder}
        value={text}
        spellCheck={false}
        onChange={(event) => setText(event.target.value)}
      />
      <Button type="submit" disabled={text.trim() === ''}>
        {label}
      </Button>
    </form>
  )
}
