import { z } from 'zod'
import { EnteredProvider, ProviderName } from '../../../protocol/provider.ts'
import { readPrivate, writePrivate } from '../../access/private-file.ts'
import { createSerial } from '../../session/writer.ts'

const File = z.strictObject({ providers: z.record(ProviderName, EnteredProvider) })

/** The providers that a person entered, with their keys; kept in a file that only they can read. */
export interface KeyStore {
  all(): ReadonlyMap<string, EnteredProvider>
  set(name: string, entry: EnteredProvider): Promise<void>
  /** False: there is none of this name. */
  remove(name: string): Promise<boolean>
}

/** Somebody who enters more has made a mistake. */
const most = 100

export class TooManyProviders extends Error {}

export async function openKeyStore(path: string): Promise<KeyStore> {
  let entries = parse(await readPrivate(path))

  async function keep(next: ReadonlyMap<string, EnteredProvider>): Promise<void> {
    const text = JSON.stringify({ providers: Object.fromEntries(next) })
    await writePrivate(path, text)
    entries = next
  }

  // Two that come at once both count.
  const serial = createSerial()
  return {
    all: () => entries,
    set: (name, entry) =>
      serial.run(async () => {
        const others = [...entries].filter(([other]) => other !== name)
        if (others.length >= most) throw new TooManyProviders(`at most ${most} can be kept`)
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

/** A file that was damaged costs entering the keys again, no more. */
function parse(text: string | null): ReadonlyMap<string, EnteredProvider> {
  try {
    return new Map(Object.entries(File.parse(JSON.parse(text ?? '{"providers":{}}')).providers))
  } catch {
    return new Map()
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
