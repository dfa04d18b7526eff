import { execFile } from 'node:child_process'
import { constants } from 'node:os'
import type { HolderClient } from './holder-client.ts'

export interface InterruptTarget {
  client: HolderClient
  pts: string
  shellPid: number
  isRunning: () => boolean
}

const againMs = 300
const maxTimes = 5
const interruptKey = Buffer.from('\x03')

/**
 * Ctrl+C as a person would press it. It is pressed again only when the first cannot have reached the
 * program: one that neither handles nor ignores it would be dead (a shell that is just starting a
 * program swallows it), or signal keys are off. To all others a second one would say "now, without
 * cleaning up".
 */
export function interruptForeground(target: InterruptTarget, times = 1): void {
  const { client, shellPid, isRunning } = target
  const before = client.probe()
  client.input(interruptKey)
  setTimeout(() => {
    if (isRunning()) void again()
  }, againMs).unref()

  async function again(): Promise<void> {
    const [was, is] = [await before, await client.probe()]
    if (!isRunning() || is === null) return
    const unheard = is.foreground === shellPid ? was?.foreground === shellPid : is.minds === false
    if (await signalKeysOff(target.pts)) client.signal('foreground', constants.signals.SIGINT)
    else if (unheard && times < maxTimes) interruptForeground(target, times + 1)
  }
}

function signalKeysOff(pts: string): Promise<boolean> {
  return new Promise((resolve) => {
    execFile('stty', ['-F', pts, '-a'], (error, settings) =>
      resolve(error === null && /(^|\s)-isig\b/.test(settings)),
    )
  })
}
