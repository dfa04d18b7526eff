import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startHolder, findHolder } from '../../src/server/terminal/holder/start-holder.ts'
import { prepareShell } from '../../src/server/terminal/start/prepare-shell.ts'
import { tempFolder } from '../support/temp.ts'
import { childrenOf, isLiving, untilGone } from './support/living.ts'
import { untilThere } from './support/until-there.ts'

const holderEntry = join(process.cwd(), 'dist', 'holder.js')

/** A holder nobody attends, for which a day is short; its start file is this. */
async function startUnattended(startFile: string): Promise<{ holder: number; shell: number }> {
  const temp = await tempFolder()
  onTestFinished(temp.remove)
  const folder = join(temp.path, 'session')
  await mkdir(folder)
  const reached = join(temp.path, 'reached')
  await writeFile(join(temp.path, '.bashrc'), `${startFile}\ntouch ${reached}\n`)
  const env = { HOME: temp.path, PATH: process.env['PATH'] ?? '', LANG: 'C.UTF-8' }
  const options = { folder, shell: 'bash', env, holderEntry, onShellEnd() {} }
  const prepared = await prepareShell(options, { generation: 1, cwd: temp.path })
  if (!prepared.ok) throw new Error(prepared.error)
  expect(prepared.value.start.idleMs).toBe(86_400_000)
  const started = await startHolder(holderEntry, { ...prepared.value.start, idleMs: 1_500 })
  if (!started.ok) throw new Error(started.error)
  const { pid } = findHolder(folder)!
  const [shell] = childrenOf(pid)
  await untilThere(reached)
  return { holder: pid, shell: shell! }
}

test('[FAULT7] a holder without server, run and job ends with its shell after a day, and one with a job stays until that ends', async () => {
  const kept = await startUnattended('sleep 1000 &')
  const [job] = childrenOf(kept.shell)
  expect(isLiving(job!)).toBe(true)
  const idle = await startUnattended(':')
  // It started later, so when its day is over the other's was too.
  await untilGone([idle.holder, idle.shell])
  expect([kept.holder, kept.shell].every(isLiving)).toBe(true)
  process.kill(job!, 'SIGKILL')
  await untilGone([kept.holder, kept.shell])
})
