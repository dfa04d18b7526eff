import { z } from 'zod'
import { EnteredProvider, ProviderName } from '../../../protocol/provider.ts'
import { isThere, readPrivate, writePrivate } from '../../access/private-file.ts'
import { createSerial } from '../../session/serial.ts'

const File = z.strictObject({ providers: z.record(ProviderName, EnteredProvider) })

/** The providers that a person entered, with their keys; kept in a file that only they can read. */
export interface KeyStore {
  all(): ReadonlyMap<string, EnteredProvider>
  /** The reason why what the file holds does not count, as a sentence; left out: it does. */
  readonly problem?: string | undefined
  /** Throws a KeyFileError while a file that does not count is there, or where there are too many. */
  set(name: string, entry: EnteredProvider): Promise<void>
  /** False: there is none of this name. */
  remove(name: string): Promise<boolean>
}

/** Somebody who enters more has made a mistake. */
const most = 100
const tooMany = `At most ${most} providers can be kept. Forget one of them first: tandem models rm NAME`

/** An entry that cannot be kept, as a sentence says: the file is there and does not count, or it is full. */
export class KeyFileError extends Error {
  override name = 'KeyFileError'
}

export async function openKeyStore(path: string): Promise<KeyStore> {
  let { entries, problem } = await read(path)

  async function keep(next: ReadonlyMap<string, EnteredProvider>): Promise<void> {
    if (problem !== undefined && (await isThere(path))) throw new KeyFileError(problem)
    problem = undefined
    const text = JSON.stringify({ providers: Object.fromEntries(next) })
    await writePrivate(path, text)
    entries = next
  }

  // Two that come at once both count.
  const serial = createSerial()
  return {
    all: () => entries,
    problem,
    set: (name, entry) =>
      serial.run(async () => {
        const others = [...entries].filter(([other]) => other !== name)
        if (others.length >= most) throw new KeyFileError(tooMany)
        // The newest is the one that a new session talks to.
        await keep(new Map([[name, entry], ...others]))
      }),
    remove: (name) =>
      serial.run(async () => {
        if (!entries.has(name)) return false
        await keep(new Map([...entries].filter(([other]) => other !== name)))
        return true
      }),
  }
}

interface Found {
  entries: ReadonlyMap<string, EnteredProvider>
  problem?: string | undefined
}

/** A file that others could read, or that is damaged, costs no start; the person is told what to do. */
async function read(path: string): Promise<Found> {
  const text = await readPrivate(path)
  const none = new Map<string, EnteredProvider>()
  if (text !== null) {
    const entries = parse(text)
    const problem = `${path} cannot be read as keys of providers. Mend or remove it, and restart with tandem stop.`
    return entries === null ? { entries: none, problem } : { entries }
  }
  if (!(await isThere(path))) return { entries: none }
  const problem = `Others could read ${path}, so its keys do not count. Do chmod 600 on it, or remove it, and restart with tandem stop.`
  return { entries: none, problem }
}

function parse(text: string): Found['entries'] | null {
  try {
    return new Map(Object.entries(File.parse(JSON.parse(text)).providers))
  } catch {
    return null
  }
}

/** For models that nobody enters keys for: tests, and programs that embed us. */
export function memoryKeyStore(): KeyStore {
  let entries: ReadonlyMap<string, EnteredProvider> = new Map()
  return {
    all: () => entries,
    async set(name, entry) {
      entries = new Map([[name, entry], ...[...entries].filter(([other]) => other !== name)])
    },
    async remove(name) {
      const had = entries.has(name)
      entries = new Map([...entries].filter(([other]) => other !== name))
      return had
    },
  }
}
