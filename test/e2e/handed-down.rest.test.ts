// needs: zsh fish
import { readdirSync, readFileSync } from 'node:fs'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ExportFormat } from '../../src/protocol/http/page-routes.ts'
import { routes } from '../../src/protocol/http/routes.ts'
import { startServer, type TestServer } from '../support/server.ts'

/** Everything that a server of ours may read a secret from; each value can be told from the others. */
const secrets = {
  GEMINI_API_KEY: 'handed-gemini-4711',
  GOOGLE_API_KEY: 'handed-google-4711',
  ANTHROPIC_API_KEY: 'handed-anthropic-4711',
  OPENAI_API_KEY: 'handed-openai-4711',
  TANDEM_API_KEY: 'handed-own-4711',
  OPENAI_BASE_URL: 'http://person:handed-password-4711@127.0.0.1:9/v1',
  OLLAMA_BASE_URL: 'http://127.0.0.1:9/v1?key=handed-address-4711',
}
const any = /handed-\w+-4711/g

async function open(shell: string, config: object = {}): Promise<TestServer> {
  const server = await startServer({
    env: { ...secrets, TANDEM_SHELL: shell },
    config: { model: 'demo/offline', ...config },
  })
  onTestFinished(() => server.close())
  return server
}

/** Everything that the data folder holds, as one text. */
function kept(folder: string): string {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1'))
    .join('\n')
}

const startFiles: Record<string, readonly [string, string]> = {
  bash: ['.bashrc', 'export ANTHROPIC_API_KEY=my-own-words\n'],
  zsh: ['.zshrc', 'export ANTHROPIC_API_KEY=my-own-words\n'],
  fish: ['.config/fish/config.fish', 'set -gx ANTHROPIC_API_KEY my-own-words\n'],
}

test.each(Object.keys(startFiles))(
  '[CONF7] no secret of the server reaches a shell, a one-shot, a record, a file or an export: %s',
  async (shell) => {
    const server = await open(shell)
    const session = await server.session()
    const shown = await session.run('env; set; echo the-end')
    expect(shown.content).toContain('the-end')
    const beside = await session.send('/shell env; echo the-end')
    expect((await session.answerTo(beside.first)).content).toContain('the-end')
    const output = await server.client.call(routes.runOutput, {
      params: { id: session.id, run: session.all('run_start')[0]!.run },
      query: {},
    })
    expect(output.text).not.toMatch(any)
    for (const format of ExportFormat.options) {
      const params = { id: session.id }
      const text = await server.client.document(routes.export, { params, query: { format } })
      expect(text, format).not.toMatch(any)
    }
    expect(kept(server.home)).not.toMatch(any)
    // The test could see one: what a person types there is kept.
    await session.run('echo handed-person-4711')
    expect([...new Set(kept(server.home).match(any))]).toEqual(['handed-person-4711'])
  },
)

test.each(Object.keys(startFiles))(
  '[CONF7] what a start file exports is the person’s, and what the settings name stays: %s',
  async (shell) => {
    const server = await open(shell, { shellKeepEnv: ['OPENAI_API_KEY'] })
    const [file, words] = startFiles[shell]!
    const path = join(dirname(server.home), file)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, words)
    const session = await server.session()
    const { content } = await session.run('env | grep -E "API_KEY|BASE_URL" | sort')
    expect(content.split('\n').slice(1, -1)).toEqual([
      'ANTHROPIC_API_KEY=my-own-words',
      `OPENAI_API_KEY=${secrets.OPENAI_API_KEY}`,
    ])
  },
)

test('[CONF7] a program that the server itself starts by its name gets no secret either', async () => {
  const server = await startServer({ env: secrets, config: { model: 'demo/offline' } })
  onTestFinished(() => server.close())
  const folder = join(dirname(server.home), 'programs')
  const seen = join(folder, 'seen')
  await mkdir(folder)
  await writeFile(
    join(folder, 'stty'),
    `#!/bin/sh\nenv >> '${seen}'\nexec env PATH=/usr/bin:/bin stty "$@"\n`,
  )
  await chmod(join(folder, 'stty'), 0o755)
  await server.restart({ PATH: `${folder}:${process.env['PATH']}` })
  const session = await server.session()
  await session.send('!read -r answer')
  await session.untilDelta((delta) => delta.type === 'tool_update' && delta.status === 'waiting')
  await session.interrupt()
  await session.until('tool_response')
  expect(readFileSync(seen, 'utf8')).toContain('PATH=')
  expect(readFileSync(seen, 'utf8')).not.toMatch(any)
})
