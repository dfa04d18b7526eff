// needs: root python3
import { execFile } from 'node:child_process'
import { chownSync, cpSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { listProcesses } from '../../src/server/one-shot/process-table.ts'
import { bundleLimitedShell } from './support/holder-bundle.ts'
import { startMany } from './support/start-many.ts'
import { makeTerminal } from './support/temp-shell.ts'

/** An ordinary user that nothing else runs as: the system does not count root's processes. */
const uid = 48_124

/** The project may lie where the other user cannot read: what they run is copied for them. */
function readableCopy(root: string, entries: readonly string[]): string {
  const app = join(root, 'app')
  const scope = 'node_modules/@lydell'
  cpSync(join(process.cwd(), scope), join(app, scope), { recursive: true, dereference: true })
  for (const entry of entries) cpSync(entry, join(app, basename(entry)))
  return app
}

/** What a server says that runs these in a shell of its own, all as that user. */
async function runAsUser(limits: { tasks: number; memoryBytes: number }, commands: string[]) {
  const made = await makeTerminal()
  onTestFinished(made.close)
  for (const path of [made.root, made.home]) chownSync(path, uid, uid)
  const { onShellEnd: _, ...options } = made.terminalOptions
  const app = readableCopy(made.root, [await bundleLimitedShell(), options.holderEntry])
  const holderEntry = join(app, basename(options.holderEntry))
  const say = JSON.stringify({
    options: { ...options, holderEntry },
    limits,
    commands,
    cwd: made.home,
  })
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(app, 'limited-shell.mjs'), say],
    { uid, gid: uid, cwd: '/' },
  )
  return stdout
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line))
}

/** Resolves when nothing of that user lives any more: the last holder may still be on its way out. */
async function untilNoneLives(): Promise<void> {
  const wait = promisify(execFile)
  for (let living = livingOfUser(); living.length > 0; living = livingOfUser())
    await Promise.all(living.map((pid) => wait('tail', [`--pid=${pid}`, '-f', '/dev/null'])))
}

/** The dead stay in the table until init has seen them; they do nothing. */
function livingOfUser(): readonly number[] {
  const pids = (listProcesses() ?? []).map(({ pid }) => pid)
  return pids.filter((pid) => {
    try {
      const status = readFileSync(`/proc/${pid}/status`, 'latin1')
      return new RegExp(`^Uid:\\s+${uid}\\b`, 'm').test(status) && !/^State:\s+Z/m.test(status)
    } catch {
      return false
    }
  })
}

test('[TERM106] without a control group the limit of the user is told of, when it was seen to be reached', async () => {
  const said = await runAsUser({ tasks: 60, memoryBytes: 0 }, [
    startMany(10),
    startMany(100),
    'echo on',
  ])
  expect(said.slice(1)).toEqual([
    { exitCode: 0, output: 'all started\n' },
    {
      exitCode: 0,
      output: expect.stringMatching(
        /^refused\nThe limit of \d+ processes for this user was reached: not everything may have been started\.\n$/,
      ),
    },
    { exitCode: 0, output: 'on\n' },
  ])
  await untilNoneLives()
})

test('[TERM106] a command that wants too much memory fails, and shell and server go on', async () => {
  const said = await runAsUser({ tasks: 0, memoryBytes: 256 * 2 ** 20 }, [
    'head -c 1G /dev/zero | tail -c 900M | wc -c',
    'echo fine',
  ])
  expect(said).toEqual([
    expect.objectContaining({ tasks: null, memory: 256 * 2 ** 20 }),
    { exitCode: 0, output: expect.stringMatching(/memory[^]*\n0\n$/) },
    { exitCode: 0, output: 'fine\n' },
  ])
})

// Last: those that it leaves dead count as that user's until init has seen them.
test('[TERM106] a fork bomb in the shared shell stays within its limit, and the session goes on after it', async () => {
  const bomb = 'bomb() { bomb | bomb & }; bomb 2>/dev/null; echo thrown'
  const said = await runAsUser({ tasks: 120, memoryBytes: 0 }, [
    'echo before',
    bomb,
    'echo still here',
    'restart',
    'echo after; ls -d /',
  ])
  expect(said).toEqual([
    expect.objectContaining({ kind: 'rlimit', memory: null }),
    { exitCode: 0, output: 'before\n' },
    { exitCode: 0, output: expect.stringContaining('thrown\n') },
    { exitCode: 0, output: expect.stringContaining('still here\n') },
    expect.objectContaining({ generation: 1, reason: 'restarted' }),
    { exitCode: 0, output: 'after\n/\n' },
  ])
  await untilNoneLives()
})
