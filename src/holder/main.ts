import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import type { HolderReady, HolderStart } from '../protocol/holder/holder.ts'
import { endSession } from './process/end-session.ts'
import { hold } from './hold.ts'
import { createHome, makePrivateFolder } from './process/home.ts'

/** Tells the parent how it went, and lets go of it: nothing of the holder may hang on its life. */
function report(ready: HolderReady): { isHeard: boolean } {
  let isHeard = true
  try {
    writeSync(1, `${JSON.stringify(ready)}\n`)
  } catch {
    isHeard = false
  }
  for (const descriptor of [0, 1]) {
    closeSync(descriptor)
    openSync('/dev/null', 'r+')
  }
  return { isHeard }
}

async function main(): Promise<void> {
  // From our own parent, of our own version, over a pipe no one else has: taken as it is.
  const start: HolderStart = JSON.parse(readFileSync(0, 'utf8'))
  const umask = process.umask(0o077)
  const privateFolder = makePrivateFolder(start.privateRoots)
  const home = createHome({ privateFolder, listen: (socket) => holding.listen(socket) })
  let ending = false

  async function end(): Promise<void> {
    if (ending) return
    ending = true
    await endSession(holding.shellPid, holding.members)
    home.leave()
    holding.close()
    // The rest of its end costs more than all before it, and gives way to holders whose shell still lives.
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
    // The last frames are on their way; they leave with the next turns of the loop.
    setTimeout(leave, 20)
  }

  function leave(): void {
    rmSync(privateFolder, { recursive: true, force: true })
    process.exit(0)
  }

  // The shell inherits what we have at the fork; its files are the user's business, not ours.
  process.umask(umask)
  const holding = hold({ start, privateFolder, home, onDone: () => void end() })
  process.umask(0o077)
  await home.enter(start)

  process.on('SIGHUP', () => {})
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => void end())
  // A server that died meanwhile has run nothing here, and the next one starts its own.
  if (!report({ ok: true, socket: home.socket(), pid: process.pid }).isHeard) await end()
}

main().catch((error: unknown) => {
  report({ ok: false, message: error instanceof Error ? error.message : String(error) })
  process.exit(1)
})
