import type { Refusal } from '../../../protocol/refusal.ts'
import type { RunWatch } from '../terminal.ts'

type Status = Parameters<RunWatch['onStatus']>[0]

/** Who may type, and the way of the keys to the shell. Keys are passed on and never kept. */
export interface Keyboard {
  runBegan(run: { by: 'person' | 'model' }): void
  status(status: Status): void
  runEnded(): void
  /** Takes over, or hands back; means nothing at a prompt. */
  drive(driver: 'person' | 'model'): void
  driver(): 'person' | 'model'
  /** A person took the keyboard from the model whose run is on. */
  isTaken(): boolean
  isModelRun(): boolean
  /** A program is in a person's hands. */
  isPersonal(): boolean
  readsSecret(): boolean
  type(data: string): Refusal | null
}

interface CurrentRun {
  by: 'person' | 'model'
  isTaken: boolean
  status: Status
}

const interruptKey = '\x03'

export function createKeyboard({
  write,
  onChange,
}: {
  write(data: string): void
  onChange(): void
}): Keyboard {
  let run: CurrentRun | null = null

  const readsSecret = () => run?.status === 'secret'
  const driver = () => (run?.by === 'model' && !run.isTaken && !readsSecret() ? 'model' : 'person')

  function change(next: Partial<CurrentRun>): void {
    if (run === null) return
    run = { ...run, ...next }
    onChange()
  }

  return {
    runBegan(began) {
      run = { ...began, isTaken: false, status: 'running' }
      onChange()
    },
    status: (status) => change({ status }),
    runEnded() {
      run = null
      onChange()
    },
    drive: (next) => change({ isTaken: next === 'person' }),
    driver,
    isTaken: () => run?.by === 'model' && run.isTaken,
    isModelRun: () => run?.by === 'model',
    isPersonal: () => run !== null && driver() === 'person',
    readsSecret,
    type(data) {
      if (driver() === 'model' && data !== interruptKey)
        return {
          code: 'not_driver',
          message: 'The model is using the terminal. Take over to type; Ctrl+C always works.',
        }
      // While a command is on its way into the shell the holder keeps them, which knows when it is there.
      write(data)
      return null
    },
  }
}
