import { describe, expect, test } from 'vitest'
import { createProbe, type ProbeOptions } from './probe.ts'
import type { ProcFiles, Reading } from './proc-files.ts'
import type { Keys } from './classify.ts'

/** A `/proc` of our own: what is not in it is gone. */
interface World {
  texts: Record<string, Reading>
  links?: Record<string, string>
  lists?: Record<string, string[]>
}

const stat = (...[pid, group, foreground, memory = 4096]: number[]) => ({
  text: `${pid} (prog) S 1 ${group} 1 34816 ${foreground} 0 0 0 0 0 0 0 0 0 20 0 1 0 5 ${memory}`,
})

function filesOf({ texts, links = {}, lists = {} }: World): ProcFiles & { reads: () => number } {
  let reads = 0
  const text = (path: string): Reading => {
    reads += 1
    return texts[path] ?? 'gone'
  }
  return {
    text,
    link: (path) => links[path] ?? null,
    list: (path) => lists[path] ?? null,
    later: async (path) => text(path),
    memory: async () => null,
    reads: () => reads,
  }
}

function probeOf(files: ProcFiles, more: Partial<ProbeOptions> & { keys?: Keys } = {}) {
  let asked = 0
  const probe = createProbe({
    shellPid: 10,
    pts: '/dev/pts/5',
    platform: 'linux',
    arch: 'x64',
    files,
    async readKeys() {
      asked += 1
      return more.keys ?? 'line'
    },
    ...more,
  })
  return { ...probe, asked: () => asked }
}

/** Process 20 in the foreground, blocked in this call or this wait. */
const program = (syscall: Reading, more: Partial<World> = {}, wait = 'wait_woken'): World => ({
  texts: {
    '/proc/10/stat': stat(10, 10, 20),
    '/proc/20/stat': stat(20, 20, 20),
    '/proc/20/task/20/wchan': { text: wait },
    '/proc/20/task/20/syscall': syscall,
    '/proc/20/task/20/status': { text: 'Name:\tprog\nvoluntary_ctxt_switches:\t7\n' },
    ...more.texts,
  },
  links: { '/proc/20/fd/0': '/dev/pts/5', ...more.links },
  lists: { '/proc/20/fd': ['0'], ...more.lists },
})

const readCall = { text: '0 0x0 0x7ffd 0x1 0x0 0x0 0x0 0x7 0x7\n' }

describe('the probe', () => {
  test('[PROBE1] says nothing where the kernel is not Linux, or its numbers are not known', async () => {
    const files = filesOf(program(readCall))
    for (const where of [{ platform: 'darwin' }, { arch: 'riscv64' }]) {
      expect(await probeOf(files, where).read()).toEqual({ state: 'unknown', certain: false })
    }
    expect(files.reads()).toBe(0)
  })

  test('[PROBE8] asks for the settings again only after the program has run, was stirred, or some seconds', async () => {
    const world = program(readCall)
    let now = 0
    const probe = probeOf(filesOf(world), { now: () => now })
    for (let time = 0; time < 10; time += 1) expect((await probe.read()).state).toBe('waiting')
    expect(probe.asked()).toBe(1)
    world.texts['/proc/20/task/20/status'] = { text: 'voluntary_ctxt_switches:\t8\n' }
    await probe.read()
    expect(probe.asked()).toBe(2)
    probe.forget()
    await probe.read()
    expect(probe.asked()).toBe(3)
    now += 5001
    await probe.read()
    expect(probe.asked()).toBe(4)
  })

  test('[PROBE8] asks for no settings while nobody waits for the terminal', async () => {
    const probe = probeOf(filesOf(program({ text: 'running\n' }, {}, '0')))
    expect((await probe.read()).state).toBe('running')
    expect(probe.asked()).toBe(0)
  })

  test('[PROBE3] of a program that went on while it was looked at does not say that it waits', async () => {
    const world = program(readCall)
    const files = filesOf(world)
    // Its input was a pipe, and is the terminal again by the time we look which it was.
    const goesOn: ProcFiles = {
      ...files,
      link(path) {
        world.texts['/proc/20/task/20/syscall'] = { text: 'running\n' }
        return files.link(path)
      },
    }
    expect((await probeOf(goesOn).read()).state).toBe('running')
  })

  test('[PROBE3] finds a reader by its wait where only parents may see calls', async () => {
    const look = (more: Partial<World>, wait?: string) =>
      probeOf(filesOf(program('denied', more, wait))).read()
    expect(await look({})).toMatchObject({ state: 'waiting', pid: 20 })
    const lists = { '/proc/20/fd': ['0', '3'] }
    for (const other of ['socket:[7]', 'anon_inode:inotify']) {
      const links = { '/proc/20/fd/3': other }
      expect(await look({ links, lists })).toMatchObject({ state: 'unknown' })
    }
    const links = { '/proc/20/fd/3': 'anon_inode:[eventpoll]' }
    const info = { text: 'pos:\t0\ntfd:        0 events:       19 data: 0\n' }
    const texts = { '/proc/20/fdinfo/3': info }
    expect(await look({ links, lists, texts }, 'ep_poll')).toMatchObject({ state: 'waiting' })
    expect(await look({}, 'do_sys_poll')).toMatchObject({ state: 'running', certain: false })
    expect(await look({}, '0')).toMatchObject({ state: 'unknown' })
  })

  test("[PROBE3] of another user's program tells a secret by the terminal alone, and never that it waits", async () => {
    const world = program('denied', { lists: {} }, '0')
    const states: string[] = []
    for (const keys of ['hidden', 'raw', 'line'] as const) {
      states.push((await probeOf(filesOf(world), { keys }).read()).state)
    }
    expect(states).toEqual(['secret', 'raw', 'unknown'])
  })

  test('[PROBE8] looks at a bounded number of processes and threads', async () => {
    const texts: World['texts'] = {
      '/proc/10/stat': stat(10, 10, 20),
      '/proc/20/stat': stat(20, 20, 20),
    }
    const children = Array.from({ length: 10_000 }, (_, n) => n + 100)
    texts['/proc/20/task/20/children'] = { text: children.join(' ').slice(0, 4096) }
    for (const pid of children) {
      texts[`/proc/${pid}/stat`] = stat(pid, 20, 20)
      texts[`/proc/${pid}/task/${pid}/wchan`] = { text: '0' }
      texts[`/proc/${pid}/task/${pid}/syscall`] = { text: 'running' }
    }
    const files = filesOf({ texts })
    expect((await probeOf(files).read()).state).toBe('unknown')
    expect(files.reads()).toBeLessThan(500)
  })

  test('[PROBE1] of programs that end while it looks says running if there is a next one, else unknown', async () => {
    const texts: World['texts'] = { '/proc/10/stat': stat(10, 10, 20) }
    expect((await probeOf(filesOf({ texts })).read()).state).toBe('unknown')
    let next = 20
    const files = filesOf({ texts })
    const changing = {
      ...files,
      text: (path: string) =>
        path === '/proc/10/stat' ? stat(10, 10, (next += 1)) : files.text(path),
    }
    expect(await probeOf(changing).read()).toEqual({ state: 'running', certain: true })
    const ending = program('denied', { texts: { '/proc/20/stat': stat(20, 20, 20, 0) } })
    expect((await probeOf(filesOf(ending)).read()).state).toBe('unknown')
    texts['/proc/10/stat'] = 'gone'
    expect((await probeOf(filesOf({ texts })).read()).state).toBe('unknown')
  })
})
