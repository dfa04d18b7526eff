import { listBrowsers, signOut } from '../../client/server.ts'
import { printableLine } from '../../view/text/hidden-characters.ts'
import { attach } from '../attach.ts'
import { pickById, shortIds } from '../find-session.ts'
import type { Io } from '../io.ts'
import { age } from './sessions.ts'

/** `tandem browsers ls`: who may open the page without a new address. */
export async function listCommand(io: Io, { json }: { json?: boolean }): Promise<void> {
  const { client } = await attach(io)
  const { browsers } = await listBrowsers(client)
  if (json) io.out(`${JSON.stringify(browsers)}\n`)
  else if (browsers.length === 0)
    io.note('No browser is signed in. `tandem web` prints an address.')
  else {
    const ids = shortIds(browsers.map(({ id }) => id))
    for (const { id, name, port, usedAt } of browsers) {
      const seen = age(Date.now() - usedAt).padStart(4)
      io.out(`${ids.get(id) ?? id}  ${seen}  port ${port}  ${printableLine(name)}\n`)
    }
  }
}

/** `tandem browsers rm <id>`: its key counts no more, and its open pages are locked at once. */
export async function removeCommand(io: Io, id: string): Promise<void> {
  const { client } = await attach(io)
  const { browsers } = await listBrowsers(client)
  const found = pickById(browsers, id, 'browser')
  await signOut(client, found.id)
  io.note(`Signed out: ${printableLine(found.name)}`)
}
