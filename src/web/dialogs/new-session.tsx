import { useEffect, useId, useState, type FormEvent } from 'react'
import { closeDialog } from '../state/panels.ts'
import { usePage, goTo } from '../state/page.ts'
import { useStore } from '../state/use-store.ts'
import { Dialog } from './dialog.tsx'
import { Button } from '../parts/buttons.tsx'

/** A session in any folder of this computer. */
export function NewSession() {
  const { sessions } = usePage()
  const all = useStore(sessions.list) ?? []
  const [folder, setFolder] = useState('')
  const [problem, setProblem] = useState('')
  const id = useId()
  useEffect(() => {
    sessions.firstFolder().then(
      (found) => setFolder((typed) => (typed === '' ? (found ?? '') : typed)),
      () => undefined,
    )
  }, [sessions])

  async function create(event: FormEvent): Promise<void> {
    event.preventDefault()
    try {
      goTo(await sessions.create(folder))
      closeDialog()
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    }
  }

  const known = [...new Set(all.map(({ workspace }) => workspace))]
  return (
    <Dialog title="New session" className="new-session" onClose={closeDialog}>
      <form onSubmit={(event) => void create(event)}>
        <h2>New session</h2>
        <label htmlFor={id}>Folder</label>
        <input
          id={id}
          autoFocus
          value={folder}
          list={`${id}-known`}
          spellCheck={false}
          placeholder="/home/you/project"
          aria-describedby={problem === '' ? undefined : `${id}-problem`}
          onChange={(event) => setFolder(event.target.value)}
        />
        <datalist id={`${id}-known`}>
          {known.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
        {problem !== '' && (
          <p className="problem" id={`${id}-problem`} role="alert">
            {problem}
          </p>
        )}
        <div className="dialog-buttons">
          <Button onClick={closeDialog}>Cancel</Button>
          <Button isGo type="submit" disabled={folder.trim() === ''}>
            Start
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
