import {
  fromEpoll,
  fromPoll,
  fromSelect,
  readSyscall,
  watchedMemory,
  type Waiting,
} from '../../../base/blocked-call.ts'
import { readProcess } from './read-process.ts'
import type { ProcFiles } from './proc-files.ts'

/**
 * The activity of one thread:
 * - `read`: blocked in a read of our terminal
 * - `poll`: blocked until our terminal brings input (or a time is up)
 * - `either`: until our terminal or the network brings something
 * - `serve`: until our terminal brings input or someone connects
 * - `linked`: until the network or another program sends something
 * - `blind`: it waits for several things, and we could not see for which
 * - `hidden`: we may not look at it
 * - `busy`: it works, or waits for anything but our terminal
 */
export type Doing = 'read' | 'poll' | 'either' | 'serve' | 'linked' | 'blind' | 'hidden' | 'busy'

export interface Thread {
  pid: number
  tid: number
}

export interface ProbeTarget {
  files: ProcFiles
  arch: string
  pts: string
}

export interface ThreadFacts extends Thread {
  doing: Doing
  /** The line of its blocked call, where it may be read. */
  syscall: string
}

/** Wait channels of sleep, locks, pipes, children and connections: nothing of ours. */
const otherWaits =
  /^(futex_|hrtimer_nanosleep|do_nanosleep|do_wait|pipe_|anon_pipe_|do_sigtimedwait|sigsuspend|inet_csk_accept)/

/** Null when the thread is gone. */
export async function readThread(target: ProbeTarget, thread: Thread): Promise<ThreadFacts | null> {
  const { files } = target
  const folder = `/proc/${thread.pid}/task/${thread.tid}`
  const channel = files.text(`${folder}/wchan`)
  if (channel === 'gone') return null
  const wait = channel === 'denied' ? '' : channel.text.trim()
  if (otherWaits.test(wait)) return { ...thread, doing: 'busy', syscall: '' }
  const line = await files.later(`${folder}/syscall`)
  if (line === 'gone') return null
  if (line === 'denied') {
    // A process that is ending belongs to root for its last moment.
    if (readProcess(files, thread.pid)?.isEnding !== false) return null
    return { ...thread, doing: await guessHidden(target, thread.pid, wait), syscall: '' }
  }
  const doing = await readWait(target, thread.pid, line.text)
  const isBusy = doing === 'busy' || !(await isStill(files, `${folder}/syscall`, line.text))
  return { ...thread, doing: isBusy ? 'busy' : doing, syscall: line.text }
}

async function readWait(target: ProbeTarget, pid: number, line: string): Promise<Doing> {
  const waiting = readSyscall(line, target.arch)
  if (waiting === null) return 'busy'
  const descriptors = await watchedDescriptors(target.files, pid, waiting)
  const doing = descriptors === null ? 'blind' : await judge(target, pid, descriptors)
  return waiting.call === 'read' && doing === 'poll' ? 'read' : doing
}

/** More descriptors than any program with a terminal waits for; a server beyond it is no prompt. */
const maxDescriptors = 1024

/** The descriptors that a blocked call waits for input on; null when that cannot be seen. */
async function watchedDescriptors(
  files: ProcFiles,
  pid: number,
  waiting: Waiting,
): Promise<readonly number[] | null> {
  const { call, args } = waiting
  if (call === 'read') return [args[0]]
  if (call === 'epoll') return epollDescriptors(files, pid, args[0])
  if (call === 'opaque') return null
  const place = watchedMemory(waiting, maxDescriptors)
  const memory = place === null ? new Uint8Array() : await files.memory(pid, place)
  if (memory === null) return null
  return call === 'poll' ? fromPoll(memory) : fromSelect(memory)
}

async function epollDescriptors(
  files: ProcFiles,
  pid: number,
  epoll: number,
): Promise<readonly number[] | null> {
  const info = await files.later(`/proc/${pid}/fdinfo/${epoll}`, maxDescriptors * 64)
  return typeof info === 'string' ? null : fromEpoll(info.text)
}

/** If it went on meanwhile, what stood under its numbers was not what it had waited for. */
async function isStill(files: ProcFiles, path: string, line: string): Promise<boolean> {
  const now = await files.later(path)
  return typeof now !== 'string' && now.text === line
}

async function judge(
  target: ProbeTarget,
  pid: number,
  descriptors: readonly number[],
): Promise<Doing> {
  const links = descriptors.map((descriptor) => target.files.link(`/proc/${pid}/fd/${descriptor}`))
  const known = links.filter((link) => link !== null)
  const sockets = known.filter((link) => link.startsWith('socket:'))
  if (!known.some(isOurs(target))) {
    if (known.length < links.length) return 'hidden'
    return sockets.length > 0 ? 'linked' : 'busy'
  }
  if (sockets.length === 0) return 'poll'
  return (await isListening(target.files, pid, sockets)) ? 'serve' : 'either'
}

function isOurs({ pts }: ProbeTarget): (link: string) => boolean {
  // A member of the foreground group has our terminal as its controlling one.
  return (link) => link === pts || link === '/dev/tty'
}

/** More open files than a program that asks something has. */
const maxOpen = 128

/**
 * Guesses from a process's wait channel and open files where only a parent may see its call (Yama): a
 * wait that only terminals, sockets and file watches know, in a program without the latter two.
 */
async function guessHidden(target: ProbeTarget, pid: number, wait: string): Promise<Doing> {
  const { files } = target
  const names = wait === '' || wait === '0' ? null : files.list(`/proc/${pid}/fd`, maxOpen)
  if (names === null || names.length >= maxOpen) return 'hidden'
  const open = names.map((name) => files.link(`/proc/${pid}/fd/${name}`) ?? '')
  if (/^(wait_woken|n_tty_read)/.test(wait)) {
    const others = open.some((link) => /^socket:|^(anon_inode:)?\[?(inotify|fanotify)/.test(link))
    return open.some(isOurs(target)) && !others ? 'read' : 'hidden'
  }
  if (/^(ep_poll|do_epoll)/.test(wait)) {
    const epolls = names.filter((_, at) => open[at] === 'anon_inode:[eventpoll]')
    const sets = epolls.map((name) => epollDescriptors(files, pid, Number(name)))
    return judge(
      target,
      pid,
      (await Promise.all(sets)).flatMap((set) => set ?? []),
    )
  }
  if (/poll|select/.test(wait)) return open.some(isOurs(target)) ? 'blind' : 'busy'
  return 'busy'
}

/** Thousands of sockets fit; those beyond are taken for not listening. */
const maxBytes = 256 * 1024

/** Whether one of these sockets (`socket:[<inode>]`) takes connections: its owner is a server. */
async function isListening(
  files: ProcFiles,
  pid: number,
  links: readonly string[],
): Promise<boolean> {
  const inodes = new Set(links.map((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1]))
  for (const [table, line] of tables) {
    const sockets = await files.later(`/proc/${pid}/net/${table}`, maxBytes)
    if (typeof sockets === 'string') continue
    for (const [, inode] of sockets.text.matchAll(line)) if (inodes.has(inode)) return true
  }
  return false
}

/** State 0A is LISTEN; for unix sockets it is the flag 00010000. */
const inet = /^\s*\d+: \S+ \S+ 0A \S+ \S+ \S+\s+\d+\s+\d+ (\d+)/gm
const tables = [
  ['tcp', inet],
  ['tcp6', inet],
  ['unix', /^\S+ \S+ \S+ 00010000 \S+ \S+\s+(\d+)/gm],
] as const
