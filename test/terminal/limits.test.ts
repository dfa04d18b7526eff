import { execFile } from 'node:child_process'
import { chownSync, cpSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { openProcessLimits } from '../../src/server/process-limits.ts'
import { listProcesses } from '../../src/server/one-shot/process-table.ts'
import { bundleLimitedShell } from './support/holder-bundle.ts'
import { makeTerminal, startShell, text } from './support/temp-shell.ts'

const isRoot = process.getuid?.() === 0
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

test('[TERM106] what runs in the shared shell has no core files, goes first when memory is short, and keeps its limits', async () => {
  const { limitedCommand } = openProcessLimits({
    cgroupRoot: '/nowhere',
    memoryBytes: 512 * 2 ** 20,
  })
  const own = await startShell({
    terminal: { limit: (file, args) => limitedCommand(file, args, 'long') },
  })
  onTestFinished(() => own.close())
  const limits = text((await own.run('cat /proc/self/limits /proc/self/oom_score_adj')).output)
  expect(limits).toMatch(/^Max core file size +0 +0 /m)
  expect(limits).toMatch(/^Max data size +536870912 +536870912 /m)
  expect(limits).toMatch(/^200$/m)
  // The shell is the same process as without limits, and speaks as well.
  expect(own.info).toMatchObject({ shell: 'bash', integration: 'full' })
  expect(readFileSync(`/proc/${own.info.pid}/comm`, 'utf8')).toBe('bash\n')
  expect(text((await own.run('echo $SHLVL')).output)).toBe('1\n')
})

test.runIf(isRoot)(
  '[TERM107] a fork bomb in the shared shell stays within its limit, and the session goes on after it',
  async () => {
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
  },
)

/** Starts processes until it may not, says whether it came to that, and ends them. */
const startMany = (most: number) => `/usr/bin/env -i /usr/bin/python3 -c '
import os, signal, time
started = []
failed = False
try:
    while len(started) < ${most}:
        pid = os.fork()
        if pid == 0:
            time.sleep(1000)
        started.append(pid)
except OSError:
    failed = True
print("refused" if failed else "all started", flush=True)
time.sleep(0.7)
for pid in started:
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
'`

test('[TERM225] a shell has room for at least 4,096 tasks', () => {
  const { tasks, kind } = openProcessLimits().inForce('long')
  expect(kind === 'cgroup' ? tasks : Infinity).toBeGreaterThanOrEqual(4_096)
  expect(openProcessLimits({ cgroupRoot: '/nowhere', uid }).inForce('long').tasks).toBeGreaterThan(
    4_096,
  )
})

const { limitedCommand, inForce } = openProcessLimits({ tasks: 30 })

test.runIf(inForce().kind === 'cgroup')(
  '[TERM226] a run that hits the limit of its shell’s control group says so, and one that does not, not',
  async () => {
    const own = await startShell({
      terminal: { limit: (file, args) => limitedCommand(file, args, 'long') },
    })
    onTestFinished(() => own.close())
    expect(text((await own.run(startMany(10))).output)).toBe('all started\n')
    expect(text((await own.run(startMany(100))).output)).toBe(
      'refused\nThe limit of 30 processes for this shell was hit: not everything could be started.\n',
    )
    expect(text((await own.run('echo on')).output)).toBe('on\n')
  },
)

test.runIf(isRoot)(
  '[TERM226] without a control group the limit of the user is told of, when it was seen to be reached',
  async () => {
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
  },
)

test.runIf(isRoot)(
  '[TERM108] a command that wants too much memory fails, and shell and server go on',
  async () => {
    const said = await runAsUser({ tasks: 0, memoryBytes: 256 * 2 ** 20 }, [
      'head -c 1G /dev/zero | tail -c 900M | wc -c',
      'echo fine',
    ])
    expect(said).toEqual([
      expect.objectContaining({ tasks: null, memory: 256 * 2 ** 20 }),
      { exitCode: 0, output: expect.stringMatching(/memory[^]*\n0\n$/) },
      { exitCode: 0, output: 'fine\n' },
    ])
  },
)
