import { killSession } from '../../../src/holder/process/end-session.ts'
import { openPty } from '../../../src/holder/process/pty.ts'

export interface ProbedShell {
  pid: number
  pts: string
  type: (text: string) => void
  /** Resolves when the text was printed. */
  printed: (text: string) => Promise<void>
  close: () => Promise<void>
}

/** Text that the shell prints where a command begins. */
export const begun = '<run>'

/** An interactive bash in a PTY of its own, without any integration. */
export async function openShell(
  folder: string,
  onOutput: (text: string) => void,
): Promise<ProbedShell> {
  let seen = ''
  let onMore: () => void = () => {}
  let onGone: () => void = () => {}
  const gone = new Promise<void>((resolve) => {
    onGone = resolve
  })
  const pty = openPty({
    file: '/bin/bash',
    args: ['--norc', '--noprofile', '-i'],
    cwd: folder,
    env: {
      PATH: `${process.execPath.replace(/\/[^/]*$/, '')}:/usr/sbin:/usr/bin:/sbin:/bin:/usr/games`,
      HOME: folder,
      SHELL: '/bin/bash',
      LANG: 'C.UTF-8',
      TERM: 'xterm-256color',
      PS1: '<prompt>',
      PS0: '<run>',
    },
    size: { rows: 40, cols: 120 },
  })
  pty.listen({
    onData(bytes) {
      seen += bytes.toString('latin1')
      onMore()
      onOutput(bytes.toString('latin1'))
    },
    onExit: onGone,
  })

  async function printed(text: string): Promise<void> {
    while (!seen.includes(text)) {
      await new Promise<void>((resolve) => {
        onMore = resolve
      })
    }
  }

  await printed('<prompt>')
  return {
    pid: pty.pid,
    pts: pty.pts,
    type: (text) => pty.input.push(Buffer.from(text)),
    printed,
    async close() {
      killSession(pty.pid)
      await gone
    },
  }
}
