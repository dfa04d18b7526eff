// needs: zsh
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startWorld } from '../support/world.ts'

/** A session whose model proposes one command a turn; the answer tells whether it was asked about, and why. */
async function startProposals(shell: string) {
  const world = await startWorld({ config: { approval: 'guarded', shell } })
  const { model, server } = world
  const session = await server.session()
  let turns = 0
  let asked = 0
  return {
    workspace: server.workspace,
    run: session.run,
    /** The reasons of the question, which is denied; null when it ran unasked. */
    async propose(command: string): Promise<string | null> {
      model.hush()
      model.say(`<shell>${command}</shell>`, 'Done.')
      await session.send('go')
      turns += 1
      const ended = session.until('agent_end', turns).then(() => null)
      const question = await Promise.race([ended, session.until('elicitation_request', asked + 1)])
      if (question === null) return null
      asked += 1
      await session.answer('deny')
      await ended
      return question.reasons.join('; ')
    },
    close: world.close,
  }
}

test.each(['bash', 'zsh'])(
  '[APP8] FINDINGS S7: through a link %s reads, enters and writes where the link leads',
  async (shell) => {
    const { workspace, run, propose, close } = await startProposals(shell)
    const outside = join(workspace, '..', 'elsewhere')
    mkdirSync(join(outside, '.ssh'), { recursive: true })
    mkdirSync(join(workspace, 'docs'))
    writeFileSync(join(outside, '.ssh', 'config'), 'x')
    writeFileSync(join(outside, 'note.md'), 'x')
    symlinkSync('/', join(workspace, 'root'))
    symlinkSync(outside, join(workspace, 'out'))
    symlinkSync(join(outside, '.ssh', 'config'), join(workspace, 'plain.md'))
    symlinkSync('docs', join(workspace, 'within'))

    // A link is its target: what may be read there may be read here, and what is secret there is secret here.
    expect(await propose('ls within')).toBeNull()
    expect(await propose('ls root')).toBe(await propose('ls /'))
    expect(await propose('cat plain.md')).toContain('a secret by its name')
    expect(await propose('cat root/etc/shadow')).toContain('a secret by its name')
    expect(await propose('grep -r x root')).not.toBeNull()
    expect(await propose('cd root')).toContain('goes to /, outside the workspace')
    expect(await propose('cd out && ls')).toContain('outside the workspace')
    expect(await propose('cd within && ls')).toBeNull()
    expect(await propose('cd ..')).toBeNull()
    expect(await propose('touch out/new')).not.toBeNull()
    expect(existsSync(join(outside, 'new'))).toBe(false)

    // A person goes there: the shell calls its folder by the link, the policy by its own name.
    await run('cd out')
    expect(await propose('ls')).toContain('the shell is outside the workspace')
    expect(await propose('cat note.md')).toContain('the shell is outside the workspace')
    await close()
  },
)

/** A way to make an allowed name run something else, which leaves the file `ran`. */
interface Shadow {
  do: string
  undo: string
  command?: string
}

const shadows = (bin: string): readonly Shadow[] => [
  { do: 'ls() { command touch ran; }', undo: 'unset -f ls' },
  { do: "alias ls='touch ran;ls'", undo: 'unalias ls' },
  { do: 'export LD_PRELOAD=libm.so.6', undo: 'unset LD_PRELOAD' },
  { do: "trap 'command touch ran' DEBUG", undo: 'trap - DEBUG; command rm -f ran' },
  { do: `old=$PATH; PATH=${bin}:$PATH`, undo: 'PATH=$old; hash -r' },
  { do: 'old=$PATH; PATH=.:$PATH', undo: 'PATH=$old; hash -r' },
  { do: 'true', undo: 'true', command: './ls' },
]

test.each(['bash', 'zsh'])(
  '[APP8] FINDINGS S8: in %s a function, an alias, LD_PRELOAD, a DEBUG trap or PATH makes no allowed name run another program unasked',
  async (shell) => {
    const { workspace, run, propose, close } = await startProposals(shell)
    const bin = join(workspace, 'bin')
    mkdirSync(bin)
    for (const folder of [bin, workspace])
      writeFileSync(join(folder, 'ls'), '#!/bin/sh\ntouch ran\n', { mode: 0o755 })
    expect(await propose('ls')).toBeNull()
    const hashed: Shadow =
      shell === 'bash'
        ? { do: `hash -p ${bin}/ls ls`, undo: 'hash -r' }
        : { do: `hash ls=${bin}/ls`, undo: 'hash -r' }
    for (const shadow of [...shadows(bin), hashed]) {
      await run(shadow.do)
      const isMarked = existsSync(join(workspace, 'ran'))
      expect([shadow.do, await propose(shadow.command ?? 'ls')]).not.toEqual([shadow.do, null])
      // A trap of the person's own runs with each of their commands, this one included.
      if (!isMarked && !shadow.do.startsWith('trap'))
        expect(existsSync(join(workspace, 'ran'))).toBe(false)
      await run(shadow.undo)
    }
    expect(await propose('ls')).toBeNull()
    await close()
  },
)
