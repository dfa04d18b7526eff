import { isListening } from './listening.ts'
import { readProcess } from './proc.ts'
import type { ProcFiles } from './proc-files.ts'
import { readSyscall } from './syscalls.ts'
import { epollDescriptors, watchedDescriptors } from './watched.ts'

/**
 * What one thread does:
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

export interface Sight {
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
export async function readThread(sight: Sight, thread: Thread): Promise<ThreadFacts | null> {
  const { files } = sight
  const folder = `/proc/${thread.pid}/task/${thread.tid}`
  const channel = files.text(`${folder}/wchan`)
  if (channel === 'gone') return null
  const wait = channel === 'denied' ? '' : channel.text.trim()
  if (otherWaits.test(wait)) return { ...thread, doing: 'busy', syscall: '' }
  const line = await files.later(`${folder}/syscall`)
  if (line === 'gone') return null
  if (line === 'denied') {
    // One that is ending belongs to root for its last moment.
    if (readProcess(files, thread.pid)?.isEnding !== false) return null
    return { ...thread, doing: await guessHidden(sight, thread.pid, wait), syscall: '' }
  }
  const doing = await readWait(sight, thread.pid, line.text)
  const isBusy = doing === 'busy' || !(await isStill(files, `${folder}/syscall`, line.text))
  return { ...thread, doing: isBusy ? 'busy' : doing, syscall: line.text }
}

async function readWait(sight: Sight, pid: number, line: string): Promise<Doing> {
  const waiting = readSyscall(line, sight.arch)
  if (waiting === null) return 'busy'
  const descriptors = await watchedDescriptors(sight.files, pid, waiting)
  const doing = descriptors === null ? 'blind' : await judge(sight, pid, descriptors)
  return waiting.call === 'read' && doing === 'poll' ? 'read' : doing
}

/** If it went on meanwhile, what stood under its numbers was not what it had waited for. */
async function isStill(files: ProcFiles, path: string, line: string): Promise<boolean> {
  const now = await files.later(path)
  return typeof now !== 'string' && now.text === line
}

async function judge(sight: Sight, pid: number, descriptors: readonly number[]): Promise<Doing> {
  const links = descriptors.map((descriptor) => sight.files.link(`/proc/${pid}/fd/${descriptor}`))
  const known = links.filter((link) => link !== null)
  const sockets = known.filter((link) => link.startsWith('socket:'))
  if (!known.some(isOurs(sight))) {
    if (known.length < links.length) return 'hidden'
    return sockets.length > 0 ? 'linked' : 'busy'
  }
  if (sockets.length === 0) return 'poll'
  return (await isListening(sight.files, pid, sockets)) ? 'serve' : 'either'
}

function isOurs({ pts }: Sight): (link: string) => boolean {
  // A member of the foreground group has our terminal as its controlling one.
  return (link) => link === pts || link === '/dev/tty'
}

/** More open files than a program that asks something has. */
const maxOpen = 128

/**
 * Where only a parent may see a process's call (Yama), its wait channel and open files still tell
 * some: a wait that only terminals, sockets and file watches know, in a program without the latter two.
 */
async function guessHidden(sight: Sight, pid: number, wait: string): Promise<Doing> {
  const { files } = sight
  const names = wait === '' || wait === '0' ? null : files.list(`/proc/${pid}/fd`, maxOpen)
  if (names === null || names.length >= maxOpen) return 'hidden'
  const open = names.map((name) => files.link(`/proc/${pid}/fd/${name}`) ?? '')
  if (/^(wait_woken|n_tty_read)/.test(wait)) {
    const others = open.some((link) => /^socket:|^(anon_inode:)?\[?(inotify|fanotify)/.test(link))
    return open.some(isOurs(sight)) && !others ? 'read' : 'hidden'
  }
  if (/^(ep_poll|do_epoll)/.test(wait)) {
    const epolls = names.filter((_, at) => open[at] === 'anon_inode:[eventpoll]')
    const sets = epolls.map((name) => epollDescriptors(files, pid, Number(name)))
    return judge(
      sight,
      pid,
      (await Promise.all(sets)).flatMap((set) => set ?? []),
    )
  }
  if (/poll|select/.test(wait)) return open.some(isOurs(sight)) ? 'blind' : 'busy'
  return 'busy'
}
