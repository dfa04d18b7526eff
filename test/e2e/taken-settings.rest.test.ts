// needs: zsh
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { trustFolder } from '../../src/client/server.ts'
import { createProposals } from '../support/proposals.ts'
import { startWorld } from '../support/world.ts'

/** A session in a trusted folder with a virtual environment. */
async function working(shell: string) {
  const world = await startWorld({ config: { approval: 'guarded', shell } })
  const { model, server } = world
  const { workspace } = server
  const bin = join(workspace, '.venv', 'bin')
  mkdirSync(bin, { recursive: true, mode: 0o755 })
  writeFileSync(
    join(bin, 'activate'),
    `deactivate() { :; }\nVIRTUAL_ENV='${join(workspace, '.venv')}'\nexport VIRTUAL_ENV\n` +
      'PATH="$VIRTUAL_ENV/bin:$PATH"\nexport PATH\nhash -r 2> /dev/null\n',
  )
  writeFileSync(join(workspace, 'a'), 'a\n')
  await trustFolder(server.client, { folder: workspace, trusted: true })
  const session = await server.session()
  return { world, server, workspace, bin, session, ...createProposals(model, session) }
}

const words = (settings: readonly { words: string }[] | undefined) =>
  settings?.map((setting) => setting.words)

test.each([
  ['bash', 'shopt -s globstar', 'globstar'],
  ['zsh', 'setopt extendedglob', 'extendedglob'],
])(
  '[APP71] in %s a person takes the settings they see as they are: nothing asks for them any more, and a later change names only itself',
  async (shell, change, option) => {
    const { world, bin, session, propose, done } = await working(shell)
    expect(await propose('ls')).toBeNull()
    await session.run(`. .venv/bin/activate; export EDITOR=vim; ${change}`)
    const first = await propose('ls')
    const shown = [
      `PATH begins with ${bin} now`,
      'EDITOR is `vim` now',
      `the option ${option} is on now`,
    ]
    expect(words(first?.settings)).toEqual(shown)
    expect(first?.reasons).toEqual(shown)
    await session.answer('allow', { scope: 'shell' })
    await done()
    expect(session.all('elicitation_response').at(-1)?.settings).toEqual(first?.settings)
    expect(await propose('cat a')).toBeNull()
    await session.run('export EDITOR=nano')
    const second = await propose('cat a')
    expect(second?.reasons).toEqual(['EDITOR is `nano` now'])
    await session.answer('allow', { scope: 'shell' })
    await done()
    expect(await propose('ls')).toBeNull()
    // Back to what was taken first is a change, too.
    await session.run('export EDITOR=vim')
    expect((await propose('ls'))?.reasons).toEqual(['EDITOR is `vim` now'])
    await session.answer('deny')
    await done()
    const { first: listed } = await session.send('/approval')
    expect((await session.answerTo(listed)).content).toContain('- EDITOR is `nano` now')
    await session.run('export EDITOR=nano')
    await session.send('/approval rm settings')
    expect((await propose('ls'))?.reasons).toContain('EDITOR is `nano` now')
    await world.close()
  },
)

test.each(['bash', 'zsh'])(
  '[APP71] in %s a plain yes takes no settings, and they are for one shell: the next one asks again; after a restart of the server they count',
  async (shell) => {
    const { world, server, session, propose, done } = await working(shell)
    await session.run('export EDITOR=vim')
    expect(await propose('ls')).toMatchObject({ settings: [{ name: 'EDITOR' }] })
    await session.answer('allow')
    await done()
    expect(await propose('ls')).toMatchObject({ settings: [{ name: 'EDITOR' }] })
    await session.answer('allow', { scope: 'shell' })
    await done()
    await server.restart()
    const again = server.reopen(session)
    await again.live()
    const ask = async (turn: number) => {
      world.model.hush()
      world.model.say('<shell>pwd</shell>', 'Done.')
      await again.send('go')
      return Promise.race([
        again.until('agent_end', turn).then(() => null),
        again.until('elicitation_request', 3),
      ])
    }
    expect(await ask(3)).toBeNull()
    await again.interrupt('restart')
    await again.until('shell_exit')
    await again.run('export EDITOR=vim')
    expect(await ask(4)).toMatchObject({ settings: [{ name: 'EDITOR' }] })
    await world.close()
  },
)

test.each(['bash', 'zsh'])(
  '[APP71] in %s a folder that others can write, and code that runs by itself, are not offered',
  async (shell) => {
    const { world, workspace, session, propose, done } = await working(shell)
    const open = join(workspace, '..', 'open')
    mkdirSync(open)
    chmodSync(open, 0o777)
    await session.run(`PATH=$PATH:${open}`)
    const ask = await propose('ls')
    expect(ask?.reasons).toEqual([`PATH has ${open} now`])
    expect(ask?.settings).toBeUndefined()
    await expect(session.answer('allow', { scope: 'shell' })).rejects.toMatchObject({
      fault: { refusal: { code: 'bad_scope' } },
    })
    await session.answer('deny')
    await done()
    await session.run(`PATH=\${PATH%:*}; export EDITOR=vim; trap 'echo noticed' DEBUG`)
    const trapped = await propose('ls')
    expect(trapped?.reasons).toContain('a DEBUG trap is set')
    expect(trapped?.settings).toBeUndefined()
    await world.close()
  },
)
