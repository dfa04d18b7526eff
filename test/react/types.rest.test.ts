import { execFile } from 'node:child_process'
import { copyFile, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { strictTypes } from '../support/strict-types.ts'
import { tempFolder } from '../support/temp.ts'

const run = promisify(execFile)
const root = process.cwd()

const user = `import { Terminal as Xterm } from '@xterm/xterm'
import { type Message, useChat, useTerminal } from 'tandem/react'

const { messages, status, error, asks, answer, sendMessage, clearMessages, stop } = useChat({ url: '', token: '' })
const said: readonly Message[] = messages
const roles: readonly ('user' | 'assistant' | 'tool')[] = said.map(({ role }) => role)
const times: readonly Date[] = said.map(({ timestamp }) => timestamp)
const isSent: boolean = await sendMessage('hi')
const { link, type } = useTerminal({ url: '', token: '', session: null, screen: new Xterm() })
// @ts-expect-error there is no such status
if (status === 'busy') stop()
clearMessages()
const [ask] = asks
const paths: readonly string[] = ask?.causes.flatMap(({ targets = [] }) => targets) ?? []
const grade: 'reads' | 'changes' | 'leaves' | 'destroys' | null | undefined = ask?.grade
if (ask?.offer) answer(ask.id, 'allow', { scope: ask.rest.length > 0 ? 'reply' : 'session' })
// @ts-expect-error there is no such scope
answer('ask-1', 'allow', { scope: 'ever' })
console.log(roles, times, isSent, error?.message, ask?.offer?.words, grade, paths, link, type('x'))
`

test('[REACT4] their types stand alone, under the strictest settings, and fit xterm.js', async () => {
  const { path: folder, remove } = await tempFolder()
  onTestFinished(remove)
  const modules = join(folder, 'node_modules')
  await mkdir(join(modules, 'tandem'), { recursive: true })
  await copyFile(join(root, 'package.json'), join(modules, 'tandem', 'package.json'))
  await symlink(join(root, 'dist'), join(modules, 'tandem', 'dist'))
  await symlink(join(root, 'node_modules', '@xterm'), join(modules, '@xterm'))
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  await writeFile(join(folder, 'user.ts'), user)
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: strictTypes, files: ['user.ts'] }),
  )
  const tsc = join(root, 'node_modules', '.bin', 'tsc')
  const { stdout } = await run(tsc, [], { cwd: folder }).catch(({ stdout }) => ({ stdout }))
  expect(stdout).toBe('')
  expect(await readFile(join(root, 'dist', 'react.d.ts'), 'utf8')).not.toMatch(/^import /m)
})
