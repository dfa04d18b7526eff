import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Completion } from '../../src/protocol/http/completion.ts'
import { startServer, type TestServer } from '../support/server.ts'
import type { TestSession } from '../support/session.ts'

let server: TestServer
let session: TestSession

beforeAll(async () => {
  server = await startServer()
  await file('src/session/decide.ts')
  await file('src/session/due.ts')
  await file('src/server/main.ts')
  await file('docs/read me.md')
  await file('dist/bundle.js')
  await file('.gitignore', 'dist\n')
  await file('.hidden/inside.txt')
  for (const folder of ['alpha', 'beta', 'gamma']) await file(`${folder}/same.txt`)
  session = await server.session()
})
afterAll(() => server.close())

async function file(path: string, text = 'x'): Promise<void> {
  const full = join(server.workspace, path)
  await mkdir(join(full, '..'), { recursive: true })
  await writeFile(full, text)
}

/** What is offered at the `|` of a text. */
function at(marked: string, as: 'auto' | 'run' | 'text' = 'auto'): Promise<Completion> {
  const cursor = marked.indexOf('|')
  const text = marked.replace('|', '')
  return server.client.complete(session.id, { text, cursor, as })
}

const labels = ({ items }: Completion) => items.map(({ label }) => label)
const inserts = ({ items }: Completion) => items.map(({ insert }) => insert)

describe('completion over HTTP', () => {
  test('[COMP2] a command is offered by its beginning, by an alias, then by its letters', async () => {
    const found = await at('/sh|')
    expect(found).toMatchObject({ from: 0, to: 3 })
    expect(found.items[0]).toMatchObject({ label: '/shell', insert: '/shell', kind: 'command' })
    expect(labels(await at('/compr|'))).toEqual(['/compact'])
    expect(labels(await at('/mdl|'))).toContain('/model')
    expect(labels(await at('/|'))).toEqual(expect.arrayContaining(['/help', '/bash', '/status']))
    expect((await at('no command /sh|')).items).toEqual([])
  })

  test('[COMP2] flags, choices, repos and models are offered where a command takes them', async () => {
    expect(labels(await at('/shell --|'))).toEqual(['--repo', '--cwd', '--timeout'])
    expect(labels(await at('/private o|'))).toEqual(['on', 'off'])
    expect((await at('/model de|')).items[0]).toMatchObject({ kind: 'model' })
    const found = await at('/shell --cwd s|')
    expect(found).toMatchObject({ from: 13, to: 14 })
  })

  test('[COMP4] files are found by their letters, ignored ones are not, folders end with a slash', async () => {
    const found = await at('look at @sesdec| please')
    expect(found).toMatchObject({ from: 8, to: 15 })
    expect(found.items[0]).toEqual({
      label: 'src/session/decide.ts',
      insert: '@src/session/decide.ts',
      kind: 'file',
    })
    expect(inserts(await at('@readme|'))).toEqual(['@"docs/read me.md"'])
    expect((await at('@bundle|')).items).toEqual([])
    expect((await at('@sess|')).items).toContainEqual({
      label: 'src/session/',
      insert: '@src/session/',
      kind: 'folder',
    })
    const first = labels(await at('@|'))
    expect(first).toEqual(expect.arrayContaining(['src/', 'docs/', '.gitignore']))
    expect(first).not.toContain('src/session/due.ts')
  })

  test('[COMP4] files near the shell’s folder and those of earlier prompts come first', async () => {
    await session.run('cd beta')
    expect(labels(await at('@same|'))[0]).toBe('beta/same.txt')
    await session.send('what is in @gamma/same.txt ?')
    await session.until('agent_end')
    expect(labels(await at('@same|')).slice(0, 2)).toEqual(['gamma/same.txt', 'beta/same.txt'])
    await session.run('cd ..')
  })

  test('[COMP5] paths of a command line are those of the live shell’s folder, hidden ones when asked', async () => {
    expect(inserts(await at('!cat do|'))).toEqual(['docs/'])
    expect(inserts(await at('!cat docs/|'))).toEqual(["'docs/read me.md'"])
    expect(inserts(await at("!cat 'docs/re|"))).toEqual(["'docs/read me.md'"])
    expect(inserts(await at('!ls |'))).not.toContain('.hidden/')
    expect(inserts(await at('!ls .h|'))).toEqual(['.hidden/'])
    await session.run('cd src')
    expect(inserts(await at('!cat se|'))).toEqual(['server/', 'session/'])
    expect(inserts(await at('cat ../do|', 'run'))).toEqual(['../docs/'])
    await session.run('cd ..')
    await file('../homely.txt')
    expect(inserts(await at('!cat ~/home|'))).toEqual(['~/homely.txt'])
    await symlink(join(server.workspace, 'src'), join(server.workspace, 'linked'))
    expect(inserts(await at('!ls link|'))).toEqual(['linked/'])
  })

  test('[COMP16] a hostile name is shown escaped, put in quoted, and means itself to the shell', async () => {
    const name = 'evil\u001b[31m\n$(touch owned)\u202e.txt'
    await file(name, 'harmless')
    const [item] = (await at('!cat evi|')).items
    expect(item?.label).toBe('evil\\x1b[31m\\n$(touch owned)\\u202e.txt')
    const answer = await session.run(`cat ${item?.insert}; ls owned`)
    expect(answer.content).toContain('harmless')
    expect(answer.content).toContain("cannot access 'owned'")
    // A prompt has no way to write it.
    expect((await at('@evil|')).items).toEqual([])
    await file('-rf')
    expect(inserts(await at('!ls |'))).toContain('./-rf')
  })

  test('[COMP5] programs of the search path are offered, those that the team uses most first', async () => {
    const bin = join(server.workspace, '..', 'bin')
    await mkdir(bin)
    for (const name of ['zz-one', 'zz-two', 'zz-plain']) {
      await writeFile(join(bin, name), '#!/bin/sh\n')
      await chmod(join(bin, name), name === 'zz-plain' ? 0o644 : 0o755)
    }
    expect((await at('!bas|')).items).toContainEqual({
      label: 'bash',
      insert: 'bash',
      kind: 'program',
    })
    expect((await at('!expo|')).items).toContainEqual({
      label: 'export',
      insert: 'export',
      kind: 'program',
      detail: 'built in',
    })
    await session.run(`export PATH=$PATH:${bin}`)
    await session.run('zz-two; zz-two')
    const programs = (await at('!true && zz-|')).items.filter(({ kind }) => kind === 'program')
    expect(programs.map(({ label }) => label)).toEqual(['zz-two', 'zz-one'])
    expect(labels(await at('!echo $HOM|'))).toEqual(['$HOME'])
  })

  test('[COMP5] earlier lines that go on like this one are offered, and put in whole', async () => {
    await session.run('echo something long')
    const found = await at('!echo some|')
    expect(found).toMatchObject({
      from: 6,
      to: 10,
      items: [{ label: 'echo something long', insert: 'something long', kind: 'history' }],
    })
    expect((await at('!echo some| x')).items.map(({ kind }) => kind)).not.toContain('history')
  })
})
