import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openCgroups } from '../../src/server/one-shot/cgroup.ts'
import { countTasks } from '../../src/server/one-shot/process-table.ts'
import { findMembers } from '../../src/server/one-shot/run-processes.ts'
import { openProcessLimits, tasksMax } from '../../src/server/process/process-limits.ts'

const noCgroups = { cgroupRoot: '/nowhere' }
/** An ordinary user that nothing runs as: what is counted is ours alone. */
const uid = 48_123

function show(limited: { file: string; args: readonly string[] }, asUid?: number): string {
  const who = asUid === undefined ? {} : { uid: asUid, gid: asUid }
  return execFileSync(limited.file, [...limited.args], { encoding: 'utf8', cwd: '/', ...who })
}

test('[ONE90] a limited command is the same program with the same arguments and the same process', () => {
  const { limitedCommand } = openProcessLimits(noCgroups)
  const limited = limitedCommand('/bin/bash', ['-c', 'echo "$0|$1|$2"', 'a b', '', `"'$x\n`])
  expect(show(limited)).toBe(`a b||"'$x\n\n`)
  const pid = show(limitedCommand('/bin/bash', ['-c', 'echo $$ $PPID; cat /proc/$$/comm; :']))
  expect(pid).toMatch(new RegExp(`^\\d+ ${process.pid}\nbash\n$`))
})

test('[ONE90] core files are off, and memory is held back by process, softly and hard', () => {
  const { limitedCommand, inForce } = openProcessLimits({
    ...noCgroups,
    memoryBytes: 512 * 2 ** 20,
  })
  const shown = show(limitedCommand('/bin/cat', ['/proc/self/limits']))
  expect(shown).toMatch(/^Max core file size +0 +0 /m)
  expect(shown).toMatch(/^Max data size +536870912 +536870912 /m)
  expect(inForce()).toMatchObject({ kind: 'rlimit', memory: 536_870_912 })
})

test('[ONE90] what is said to be in force is what the kernel holds, for root and for others', () => {
  const root = openProcessLimits({ ...noCgroups, uid: 0 })
  expect(root.inForce()).toMatchObject({ kind: 'rlimit', tasks: null, memory: null })
  expect(root.inForce().says).toContain('not limited')
  const other = openProcessLimits({ ...noCgroups, uid })
  const { tasks } = other.inForce()
  expect(tasks).toBe((countTasks(uid) ?? 0) + tasksMax)
  const shown = show(other.limitedCommand('/bin/cat', ['/proc/self/limits']))
  expect(shown).toMatch(new RegExp(`^Max processes +${tasks} +${tasks} `, 'm'))
  // A shell lives for days, while the person's other programs come and go.
  expect(other.inForce('long').tasks).toBeGreaterThan(4_000)
  expect(countTasks(process.getuid?.() ?? 0)).toBeGreaterThan(0)
})

/** Laid out as the kernel would, without a kernel behind it: what is written where. */
function fakeCgroups(subtree: string): { root: string; self: string; remove(): void } {
  const root = mkdtempSync(join(tmpdir(), 'tandem-cgroup-'))
  const scope = join(root, 'user.slice', 'app.slice', 'term.scope')
  mkdirSync(scope, { recursive: true })
  writeFileSync(join(root, 'cgroup.controllers'), 'cpu memory pids\n')
  writeFileSync(join(root, 'user.slice', 'app.slice', 'cgroup.subtree_control'), subtree)
  const self = join(root, 'self')
  writeFileSync(self, '1:name=systemd:/x\n0::/user.slice/app.slice/term.scope\n')
  return { root, self, remove: () => rmSync(root, { recursive: true, force: true }) }
}

test('[ONE90] where controllers are handed down, each command gets a control group with its limits', () => {
  const fake = fakeCgroups('memory pids\n')
  const groups = openCgroups({ ...fake, tasks: 512, memoryBytes: 1_000_000 })
  const folder = groups?.make() ?? ''
  expect(folder).toContain(join(fake.root, 'user.slice', 'app.slice', `tandem-${process.pid}`))
  expect(readFileSync(join(folder, 'pids.max'), 'utf8')).toBe('512')
  expect(readFileSync(join(folder, 'memory.max'), 'utf8')).toBe('1000000')
  expect(groups?.make()).not.toBe(folder)
  fake.remove()
  const bare = fakeCgroups('cpu\n')
  expect(openCgroups({ ...bare, tasks: 512, memoryBytes: 0 })).toBeNull()
  expect(readdirSync(join(bare.root, 'user.slice', 'app.slice'))).not.toContain(
    `tandem-${process.pid}`,
  )
  bare.remove()
  expect(openCgroups({ root: '/nowhere', tasks: 512, memoryBytes: 0 })).toBeNull()
  expect(openCgroups({ ...fake, tasks: 0, memoryBytes: 0 })).toBeNull()
})

test('[ONE90] a tree that counts tasks alone holds those; memory is then held back by process', () => {
  const root = mkdtempSync(join(tmpdir(), 'tandem-cgroup-'))
  const self = join(root, 'self')
  mkdirSync(join(root, 'pids', 'ours'), { recursive: true })
  writeFileSync(self, '8:cpu,pids:/ours\n4:memory:/x\n0::/\n')
  const groups = openCgroups({ root, self, tasks: 512, memoryBytes: 1_000_000 })
  const folder = groups?.make() ?? ''
  expect(groups).toMatchObject({ tasks: 512, memoryBytes: 0 })
  expect(folder).toContain(join(root, 'pids', 'ours', `tandem-${process.pid}`))
  expect(readdirSync(folder)).toEqual(['pids.max'])
  // In a container that does not see its own place there is none to be had.
  writeFileSync(self, '8:pids:/docker/abc\n')
  expect(openCgroups({ root, self, tasks: 512, memoryBytes: 0 })).toBeNull()
  rmSync(root, { recursive: true, force: true })
})

test('[ONE90] the kernel holds what is said to be in force, for whoever runs this', () => {
  const { limitedCommand, inForce } = openProcessLimits({ tasks: 40 })
  const count = `
const { spawn } = require('node:child_process')
const started = []
for (let refused = false; !refused && started.length < 300;) {
  const child = spawn('sleep', ['1000'], { stdio: 'ignore' }).on('error', () => {})
  refused = child.pid === undefined
  if (!refused) started.push(child)
}
for (const child of started) child.kill('SIGKILL')
console.log(started.length)`
  const started = Number(show(limitedCommand(process.execPath, ['-e', count])))
  const { tasks } = inForce()
  // With the program itself; others of the same user come and go.
  if (tasks === null) expect(started).toBe(300)
  else expect(started).toBeLessThan(tasks)
})

test('[ONE90] what sits in a run’s control group is its own, though nothing else shows it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tandem-procs-'))
  const hidden = spawn('sleep', ['1000'], { detached: true, stdio: 'ignore', env: {} })
  const ended = once(hidden, 'exit')
  const run = { leader: null, startTime: 0, mark: 'sh-none', cgroup: folder }
  expect(await findMembers(run)).toEqual([])
  writeFileSync(join(folder, 'cgroup.procs'), `${hidden.pid}\n`)
  expect(await findMembers(run)).toEqual([{ pid: hidden.pid, inGroup: false }])
  hidden.kill('SIGKILL')
  await ended
  rmSync(folder, { recursive: true, force: true })
})
