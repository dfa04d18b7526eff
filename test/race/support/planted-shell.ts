import type { LiveState } from '../../../src/session/policy/live/live-state.ts'
import { joinRecords } from '../../../src/protocol/holder/live-records.ts'

/** A folder that every machine has. */
export const workspace = '/usr'

/** Everything of a shell by which a command could do something else: held against itself later, as text. */
interface Frame {
  pid: number
  cwd: string
  aliases: Map<string, string>
  functions: Set<string>
  exports: Map<string, string>
  /** A command stands in its line, by a key of ours. */
  line: Loaded | null
  running: { command: string; id: string } | null
  /** The shell that runs in it and knows none of our keys. */
  inner: Frame | null
}

/** A command as the holder gives it to the shell, in a file that is read when the key comes. */
export interface Loaded {
  id: string
  who: 'model' | 'private' | 'person'
  command: string
  attempt: number
}

/** A key on its way to the shell. */
export type Key =
  | { type: 'line'; text: string }
  | { type: 'load' | 'accept' | 'restore' | 'interrupt' }
  | { type: 'paste'; load: Loaded }
  | { type: 'state'; question: string }

export interface SaidMark {
  kind: string
  fields: string[]
  level: number
  /** The truth about the shell as it said so. */
  state: string
}

/** A command that the shell really executed, and the truth about the shell at that moment. */
export interface Executed {
  id: string
  who: Loaded['who'] | 'keys'
  command: string
  state: string
  cwd: string
  /** The order of things in this world. */
  at: number
}

interface Begun extends Pick<Executed, 'id' | 'who' | 'command'> {
  isTyped: boolean
}

export interface PlantedShellOptions {
  generation: number
  cwd: string
  /** Gets the content of the holder's file at the moment it is read. */
  readFile: () => Loaded | null
  tick: () => number
  onExecuted: (executed: Executed) => void
}

/** Only watched variables decide what a command means. */
const plain = {
  options: 'expand_aliases:interactive_comments:braceexpand:hashall',
  path: '/opt/bin',
}

/**
 * A shell that knows its own state. It reads keys one by one when it is let, says marks that reach nobody before they
 * are carried on, and tells the checker what it executed, and in which state.
 */
export function createPlantedShell(options: PlantedShellOptions) {
  const { generation, readFile, tick } = options
  const keys: Key[] = []
  const said: SaidMark[] = []
  let nextPid = generation * 100
  let lastId = ''
  let isOver = false
  const frames: Frame[] = [newFrame(options.cwd)]

  function newFrame(cwd: string): Frame {
    nextPid += 1
    return {
      pid: nextPid,
      cwd,
      aliases: new Map(),
      functions: new Set(),
      exports: new Map(),
      line: null,
      running: null,
      inner: null,
    }
  }

  const top = () => frames.at(-1) ?? frames[0]!
  const level = () => frames.length - 1

  function say(kind: string, ...fields: string[]): void {
    said.push({ kind, fields, level: level(), state: stateOf(top()) })
  }

  const stateOf = (frame: Frame) => `${frame.pid}|${contentOf(frame)}`

  function prompt(): void {
    say('A')
    say('B', '0', String(top().pid), '')
  }

  function begin({ command, id, who, isTyped }: Begun): void {
    const frame = top()
    frame.line = null
    frame.running = { command, id }
    frame.inner = command === 'bash' ? newFrame(frame.cwd) : null
    const at = tick()
    options.onExecuted({ id, who, command, state: stateOf(frame), cwd: frame.cwd, at })
    if (isTyped) say('C', '', String(command.length), `u${encodeURIComponent(command)}`)
    else say('C')
  }

  function change(frame: Frame, command: string): void {
    const [name = '', word = ''] = command.split(' ')
    if (name === 'cd') frame.cwd = word
    if (name === 'alias') frame.aliases.set(...pair(word))
    if (name === 'unalias') frame.aliases.delete(word)
    if (name === 'export') frame.exports.set(...pair(word))
    if (name === 'function') frame.functions.add(word)
    if (name === 'unset') frame.functions.delete(word)
  }

  /** What runs ends; a shell that was started ends with its `exit`. */
  function end(frame: Frame): void {
    const { command, id } = frame.running ?? { command: '', id: '' }
    frame.running = frame.inner = null
    change(frame, command)
    if (command !== 'exit') return over(frame, id)
    if (frames.length === 1) {
      isOver = true
      return
    }
    const left = level()
    frames.pop()
    const around = top()
    said.push({ kind: 'left', fields: [], level: left, state: stateOf(around) })
    const outer = around.running?.id ?? ''
    around.running = around.inner = null
    over(around, outer)
  }

  function over({ pid, cwd }: Frame, id: string): void {
    if (id !== '') lastId = id
    say('D', '0', String(pid), id === '' ? lastId : id, cwd)
    prompt()
  }

  function read(key: Key): void {
    const frame = top()
    switch (key.type) {
      case 'line': {
        // Whatever stands in the line is a part of what Enter accepts.
        const whole = `${frame.line?.command ?? ''}${key.text}`
        const id = frame.line?.id ?? ''
        return whole === ''
          ? over(frame, '')
          : begin({ command: whole, id, who: 'keys', isTyped: true })
      }
      case 'load': {
        const loaded = readFile()
        if (loaded === null) return say('I', '', '0', '0', frame.cwd)
        frame.line = loaded
        return say('I', loaded.id, '0', String(loaded.attempt), frame.cwd)
      }
      case 'accept':
        if (frame.line === null) return over(frame, '')
        return begin({ ...frame.line, isTyped: false })
      case 'paste': {
        const { id, who, command } = key.load
        begin({ command: `${frame.line?.command ?? ''}${command}`, id, who, isTyped: true })
        // The shell itself does not know its name.
        return void (frame.running = { command, id: '' })
      }
      case 'restore':
        frame.line = null
        return
      case 'interrupt':
        frame.line = null
        return over(frame, '')
      case 'state': {
        const [id = '', ...names] = key.question.split('\0').slice(0, -1)
        return say('S', written(frame, id, names))
      }
    }
  }

  /** A shell that nobody has adopted says nothing, and takes lines alone. */
  function readInside(inner: Frame, key: Key): void {
    if (key.type !== 'line') return
    if (key.text === 'exit') return end(top())
    change(inner, key.text)
  }

  function start(): void {
    say('H', 'bash', '5.2', String(top().pid), '', '', '')
    prompt()
  }

  start()
  return {
    keys,
    said,
    pid: frames[0]!.pid,
    isOver: () => isOver,
    stateNow: () => stateOf(top()),
    isRunning: () => top().running !== null,
    /** It can go on without anybody's doing: something runs that ends, or there are keys. */
    isBusy: () => !isOver && (keys.length > 0 || (top().running !== null && top().inner === null)),
    /** Reads one key, or comes to the end of what runs. */
    step(): void {
      if (isOver) return
      const frame = top()
      if (frame.running !== null && frame.inner === null) return end(frame)
      const key = keys.shift()
      if (key === undefined) return
      if (frame.inner === null) read(key)
      else readInside(frame.inner, key)
    },
    /** A program that runs gives way to Ctrl+C at once; a shell does not. */
    interrupt(): void {
      if (top().running !== null && top().inner === null) end(top())
    },
    level,
    /** The shell that a person's command has started is adopted. Keys of ours that came before meant nothing to it. */
    adopt(): boolean {
      const { inner } = top()
      if (isOver || inner === null || frames.length > 2) return false
      keys.splice(0)
      frames.push(inner)
      say('H', 'bash', '5.2', String(top().pid), '', 'me@box', '')
      // With its first prompt it says where it is.
      over(top(), '')
      return true
    },
    /** The adoption of the shell of this level was broken off: whatever it says, nobody knows it. */
    abandon(adopted: number): void {
      frames.splice(adopted)
      said.splice(0, said.length, ...said.filter((mark) => mark.level < adopted))
    },
    kill(): void {
      isOver = true
    },
  }
}

type Content = Pick<LiveState, 'cwd' | 'aliases' | 'functions'> & {
  exports: ReadonlyMap<string, string>
}

/** All that a command depends on, whichever process it is. */
export function contentOf({ cwd, aliases, functions, exports }: Content): string {
  const tables = [aliases, exports].map((table) =>
    [...table]
      .map((each) => each.join('='))
      .toSorted()
      .join(' '),
  )
  return [cwd, ...tables, [...functions].toSorted().join(' ')].join('|')
}

export type PlantedShell = ReturnType<typeof createPlantedShell>

function pair(word: string): [string, string] {
  const [name = '', value = ''] = word.split('=')
  return [name, value]
}

function written(frame: Frame, id: string, names: readonly string[]): string {
  const { aliases, functions, exports, cwd } = frame
  return joinRecords([
    { kind: 'id', fields: [id, 'bash'] },
    { kind: 'cwd', fields: [`${cwd}\n`] },
    { kind: 'path', fields: [plain.path] },
    { kind: 'folders', fields: [plain.path] },
    { kind: 'options', fields: [plain.options] },
    { kind: 'aliases', fields: [...aliases.keys(), ...aliases.values()] },
    { kind: 'aliased', fields: [[...aliases.keys()].join('\n')] },
    { kind: 'functions', fields: [[...functions].join('\n')] },
    { kind: 'builtins', fields: ['cd\necho\npwd\nprintf\ntest\n['] },
    {
      kind: 'variables',
      fields: [...exports].flatMap(([name, value]) => [name, 'x', value]),
    },
    { kind: 'asked', fields: [...names] },
    { kind: 'found', fields: names.flatMap((name) => [name, `/opt/bin/${name}`]) },
    { kind: 'end', fields: [id] },
  ])
}
