import type { Refusal } from '../../../protocol/refusal.ts'
import type { RunWatch } from '../terminal.ts'

type Status = Parameters<RunWatch['onStatus']>[0]

/** Who may type, and the way of the keys to the shell. Keys are passed on and never kept. */
export interface Keyboard {
  runBegan(run: { by: 'person' | 'model'; isEntered: boolean }): void
  /** The command is in the shell, or will never be. */
  entered(): void
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
  isEntered: boolean
  isTaken: boolean
  status: Status
}

const interruptKey = '\x03'
/** Typed ahead within the milliseconds an injection takes; more is a paste that should come later. */
const maxHeldChars = 64 * 1024

export function createKeyboard({
  write,
  onChange,
}: {
  write(data: string): void
  onChange(): void
}): Keyboard {
  let run: CurrentRun | null = null
  let held = ''

  const readsSecret = () => run?.status === 'secret'
  const driver = () => (run?.by === 'model' && !run.isTaken && !readsSecret() ? 'model' : 'person')

  function release(): void {
    const keys = held
    held = ''
    if (keys !== '') write(keys)
  }

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
    entered() {
      change({ isEntered: true })
      release()
    },
    status: (status) => change({ status }),
    runEnded() {
      run = null
      release()
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
      // Between its loading and its start, keys would end up in the middle of the command.
      if (run === null || run.isEntered) write(data)
      else if (held.length + data.length <= maxHeldChars) held += data
      else return { code: 'overloaded', message: 'Too many keys while a command is being entered.' }
      return null
    },
  }
}
