import type { HolderStart } from '../../protocol/holder/holder.ts'
import { frameKind } from '../../protocol/holder/frames.ts'
import { type Adopter, createAdopter } from '../adopt/adopter.ts'
import { createLevels, type Levels } from '../adopt/levels.ts'
import type { Output } from '../output/open-output.ts'
import { shellReads } from '../process/reads-terminal.ts'
import { createInjector, deliverByFile, type Injector } from './injector.ts'
import { createKeys, type Keys } from './keys.ts'
import { createPull, type Pull } from './pull.ts'
import { createStatePull, type StatePull } from './state-pull.ts'
import type { Told } from './state.ts'

/** The parts that type into the terminal. */
export interface Input {
  keys: Keys
  /** The one of the session's own shell. */
  injector: Injector
  levels: Levels
  adopter: Adopter
  names: Pull
  state: StatePull
}

export interface InputOptions {
  start: HolderStart
  /** Commands, names and states pass through files in it. */
  privateFolder: string
}

export function openInput(output: Output, { start, privateFolder }: InputOptions): Input {
  const { current, nonces, outbox, pty, stream } = output
  const { shell } = start
  const keys = createKeys(current, pty)
  const tell = createTeller(output, keys)
  const typing = { current, nonces, shellPid: pty.pid, write: stream.press, tell }
  const own = { ...typing, keys: shell.keys, reads: () => shellReads(pty.pid, pty.pid) }
  const injector = createInjector({
    ...own,
    delivery: deliverByFile(privateFolder, shell.keys.load),
    alwaysBrackets: shell.alwaysBrackets === true,
  })
  const levels = createLevels({
    ...typing,
    own: { nonce: start.nonce, injector, titles: shell.titlesCommands === true },
    onLeft: stream.left,
  })
  const adopter = createAdopter({
    ...typing,
    levels,
    reads: (pid) => shellReads(pid, pty.pid),
    show: stream.text,
    answer: (adopted) => outbox.send(frameKind.adopted, adopted),
  })
  const pulling = { ...own, folder: privateFolder, fresh: shell.keys.fresh }
  const names = createPull({
    ...pulling,
    name: 'names',
    mark: 'N',
    key: shell.keys.names,
    takesText: false,
    tries: 1,
    answer: (bytes) => outbox.send(frameKind.named, bytes),
  })
  const state = createStatePull({
    ...pulling,
    key: shell.keys.state,
    answer: (bytes) => outbox.send(frameKind.stated, bytes),
  })
  return { keys, injector, levels, adopter, names, state }
}

/** Passes on what injectors say to the server and to keys that wait. */
function createTeller({ current, outbox, stream }: Output, keys: Keys): (told: Told) => void {
  return (told) => {
    switch (told.type) {
      case 'late':
        return outbox.send(frameKind.late, { id: told.id })
      case 'uninjected':
        keys.spared()
        return outbox.send(frameKind.uninjected, told.uninjected)
      case 'pasted':
        stream.mark('I', [told.id, '0', String(told.attempt), ''], current.levels.length - 1)
        // As where a shell draws its prompt anew with the command in the line.
        return stream.mark('A', [], current.levels.length - 1)
      case 'settled':
        return keys.follow()
      default:
        return told satisfies never
    }
  }
}
