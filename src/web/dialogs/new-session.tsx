import { useEffect, useId, useState, type FormEvent } from 'react'
import { closeDialog } from '../state/dialog.ts'
import { usePage } from '../state/page.ts'
import { goTo } from '../state/place.ts'
import { useStore } from '../state/store.ts'
import { useFirstFolder } from '../sessions/use-first-folder.ts'
import { Dialog } from './dialog.tsx'

/** A session in any folder of this computer. */
export function NewSession() {
  const { sessions } = usePage()
  const all = useStore(sessions.sessions) ?? []
  const firstFolder = useFirstFolder()
  const [folder, setFolder] = useState('')
  const [problem, setProblem] = useState('')
  const id = useId()
  useEffect(() => {
    firstFolder().then(
      (found) => setFolder((typed) => (typed === '' ? (found ?? '') : typed)),
      () => undefined,
    )
  }, [firstFolder])

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
          <button className="button" type="button" onClick={closeDialog}>
            Cancel
          </button>
          <button className="button is-go" type="submit" disabled={folder.trim() === ''}>
            Start
          </button>
        </div>
      </form>
    </Dialog>
  )
}
