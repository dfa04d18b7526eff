// needs: script
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createSignal } from '../support/signal.ts'
import { tempFolder } from '../support/temp.ts'
import { processesOf } from '../cli/cli.ts'
import type { Step } from './blocks.ts'

/** Somebody who types what a document says, at a real terminal in a home of their own. */
export interface Reader {
  home: string
  /** What is printed, the line itself left out. A question is answered as the document shows. */
  type(step: Pick<Step, 'folder' | 'command' | 'expected'>): Promise<string>
  /** Fails if anything they started is still alive. */
  leave(): Promise<void>
}

/** Commands come by a pipe, so that the terminal's own input is for what they ask. */
const loop = `
exec 3<"$1"
status=0
while IFS= read -r -u 3 folder && IFS= read -r -u 3 line; do
  cd "$HOME$folder"
  (exit $status)
  eval "$line" 3<&-
  status=$?
  printf '\\n<over>\\n'
done
`
const over = '\n<over>\n'

/** A question of the cli's with the answer that a person gave. */
const answered = /^(Run it\? .*: )(.+)$/

export async function openReader(): Promise<Reader> {
  const { path: root, remove } = await tempFolder()
  const home = join(root, 'home')
  const bin = join(root, 'bin')
  await mkdir(home)
  await mkdir(bin)
  const cli = join(process.cwd(), 'dist', 'cli.js')
  await writeFile(join(bin, 'tandem'), `#!/bin/sh\nexec "${process.execPath}" "${cli}" "$@"\n`)
  await chmod(join(bin, 'tandem'), 0o755)
  const script = join(root, 'loop.bash')
  await writeFile(script, loop)
  await once(spawn('mkfifo', [join(root, 'lines')]), 'exit')

  const terminal = spawn(
    'script',
    ['-qec', `bash "${script}" "${join(root, 'lines')}"`, '/dev/null'],
    {
      cwd: home,
      env: {
        PATH: `${bin}:${process.env['PATH'] ?? ''}`,
        HOME: home,
        LANG: 'C.UTF-8',
        SHELL: '/bin/bash',
        TERM: 'xterm',
        COLUMNS: '100',
      },
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  )
  const lines = spawn('sh', ['-c', 'exec cat >"$1"', 'sh', join(root, 'lines')], {
    stdio: ['pipe', 'inherit', 'inherit'],
  })
  const changed = createSignal()
  let printed = ''
  terminal.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text.replaceAll(/\r|\x1b\[[0-9;?]*[A-Za-z]/g, '')
    changed.fire()
  })

  async function type({ folder, command, expected }: Parameters<Reader['type']>[0]) {
    const from = printed.length
    const said = () => printed.slice(from)
    lines.stdin.write(`${folder}\n${command}\n`)
    for (const line of expected) {
      const [, asked, answer] = answered.exec(line) ?? []
      if (asked === undefined) continue
      await changed.until(() => said().includes(asked) || said().includes(over))
      terminal.stdin.write(`${answer}\n`)
    }
    await changed.until(() => said().includes(over))
    return said().split(over)[0]!.replaceAll(home, '/home/ada')
  }

  return {
    home,
    type,
    async leave() {
      await type({ folder: '', command: 'tandem stop --shells', expected: [] })
      const ended = once(terminal, 'close')
      lines.stdin.end()
      await ended
      const left = processesOf(root)
      await remove()
      if (left.length > 0) throw new Error(`left behind: ${left.join(', ')}`)
    },
  }
}
