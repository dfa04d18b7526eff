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
const interruptKey = Buffer.from('\x03')

/**
 * Ctrl+C as a person would press it. It is pressed again only when the first cannot have reached the
 * program: the shell was just starting it, or it switched the terminal's signal keys off. For all
 * others a second one would mean "now, and without cleaning up".
 */
export function interruptForeground({ client, pts, shellPid, isRunning }: InterruptTarget): void {
  const before = client.probe()
  client.input(interruptKey)
  setTimeout(() => {
    if (isRunning()) void again()
  }, againMs).unref()

  async function again(): Promise<void> {
    const hitShell = (await before)?.foreground === shellPid
    if (hitShell) return client.input(interruptKey)
    const keysOff = await signalKeysOff(pts)
    if (keysOff && isRunning()) client.signal('foreground', constants.signals.SIGINT)
  }
}

function signalKeysOff(pts: string): Promise<boolean> {
  return new Promise((resolve) => {
    execFile('stty', ['-F', pts, '-a'], (error, settings) =>
      resolve(error === null && /(^|\s)-isig\b/.test(settings)),
    )
  })
}
