import type {
  AdoptableShell,
  AdoptRequest,
  Checkpoint,
  MoveRequest,
} from '../../protocol/holder/holder.ts'

/** A screen with its scrollback is far below it; with all else a hello says it must fit a frame. */
const maxCheckpointBytes = 4 * 1024 * 1024
/** The scripts of three shells are a tenth of it. */
const maxAdoptBytes = 512 * 1024

/** Checked by hand, for the holder is small: a schema library would cost each shell megabytes. */
type Fields = Readonly<Record<string, unknown>>

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value))
    : {}
}

/** A holder outlives its server: the next one may be of another version, so nothing is believed. */
function readFields(payload: Buffer, maxBytes: number): Fields {
  if (payload.length > maxBytes) return {}
  try {
    return fieldsOf(JSON.parse(payload.toString('utf8')))
  } catch {
    return {}
  }
}

export function readCheckpoint(payload: Buffer): Checkpoint | null {
  const { offset, rows, cols, data } = readFields(payload, maxCheckpointBytes)
  if (typeof offset !== 'number' || typeof rows !== 'number') return null
  return typeof cols === 'number' && typeof data === 'string' ? { offset, rows, cols, data } : null
}

export function readMove(payload: Buffer): MoveRequest | null {
  const { folder, generation } = readFields(payload, maxAdoptBytes)
  return typeof folder === 'string' && typeof generation === 'number'
    ? { folder, generation }
    : null
}

export function readAdoption(payload: Buffer): AdoptRequest | null {
  const { level, group, isCarried, asks, shells } = readFields(payload, maxAdoptBytes)
  const [bash, zsh, fish] = ['bash', 'zsh', 'fish'].map((name) => readShell(fieldsOf(shells)[name]))
  if (!bash || !zsh || !fish) return null
  if (typeof level !== 'number' || typeof group !== 'number') return null
  if (typeof isCarried !== 'boolean' || typeof asks !== 'string') return null
  return { level, group, isCarried, asks, shells: { bash, zsh, fish } }
}

function readShell(value: unknown): AdoptableShell | null {
  const { since, reads, script, keys, titlesCommands, alwaysBrackets } = fieldsOf(value)
  const { load, accept, restore, fresh, names } = fieldsOf(keys)
  if (typeof since !== 'string' || typeof reads !== 'string' || typeof script !== 'string')
    return null
  if (typeof load !== 'string' || typeof accept !== 'string' || typeof restore !== 'string')
    return null
  if (typeof fresh !== 'string' || typeof names !== 'string') return null
  return {
    since,
    reads,
    script,
    keys: { load, accept, restore, fresh, names },
    titlesCommands: titlesCommands === true,
    alwaysBrackets: alwaysBrackets === true,
  }
}
