import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'

/**
 * Every file system with a memory above it: what is written is gone with the last process. `pivot_root` leaves nothing
 * below that could be uncovered. A user's namespace may not cover a folder with other file systems in it: there each
 * folder in it is covered. 97: this machine does not let us.
 */
const build = `
top=$1; here=$2; shift 2
fail() { echo "$1" >&2; exit 97; }
mount --make-rprivate / && mount -t tmpfs -o mode=755,size=1g tandem "$top" || fail private
mkdir "$top/root" || fail folders
layer() {
  own=$(mktemp -d "$top/XXXXXXXX") && mkdir -m 755 "$own/up" "$own/work" || return 1
  all="lowerdir=$1,upperdir=$own/up,workdir=$own/work"
  mount -t overlay -o "$all,userxattr" overlay "$top/root$1" 2>/dev/null ||
    mount -t overlay -o "$all" overlay "$top/root$1" 2>/dev/null
}
holds() {
  while read -r _ _ _ _ at _; do
    case $(printf '%b' "$at") in "$top"|"$top"/*) ;; "$1"/?*) return 0 ;; esac
  done < /proc/self/mountinfo
  return 1
}
fill() {
  for each in "$1"/* "$1"/.[!.]*; do
    case $each in /proc|/sys|/dev) mkdir "$top/root$each"; continue ;; esac
    if [ -L "$each" ]; then cp -P "$each" "$top/root$each"; continue; fi
    [ -d "$each" ] && [ -r "$each" ] && mkdir "$top/root$each" || continue
    layer "$each" || { holds "$each" && (fill "$each"); } || fail "$each"
  done
}
if layer /; then
  while read -r _ _ _ _ at _; do
    at=$(printf '%b' "$at")
    case $at in /|/proc|/proc/*|/sys|/sys/*|/dev|/dev/*|"$top"|"$top"/*) continue ;; esac
    if [ -d "$at" ] && layer "$at"; then continue; fi
    mount --bind "$at" "$top/root$at" && mount -o remount,bind,ro "$top/root$at" || fail "$at"
  done < /proc/self/mountinfo
else
  mount --bind "$top/root" "$top/root" || fail root
  fill ''
fi
mount --rbind /dev "$top/root/dev" && mount --rbind /sys "$top/root/sys" || fail devices
for each in shm mqueue hugepages; do
  [ -d "$top/root/dev/$each" ] || continue
  mount -t tmpfs -o mode=1777,nosuid,nodev,size=64m tandem "$top/root/dev/$each" || fail "$each"
done
while read -r _ _ _ _ at _; do
  case $at in "$top/root/sys"|"$top/root/sys"/*) ;; *) continue ;; esac
  mount -o remount,bind,ro,nosuid,nodev,noexec "$at" 2>/dev/null ||
    mount -t tmpfs -o ro tandem "$at" || fail "$at"
done < /proc/self/mountinfo
mount -t proc proc "$top/root/proc" || fail proc
cd "$top/root" && PATH=$PATH:/sbin:/usr/sbin pivot_root . . && umount -l . || fail pivot
cd "$here" || fail folder
exec "$@"
`

/** A program that has not answered by then is ended. */
const limitMs = 120_000
/** More than any answer has. */
const maxBytes = 64 * 1024 * 1024

/** The answer of a program; `unavailable` where the machine gives nobody a world of their own. */
export type WorldAnswer = { is: 'said'; text: string } | { is: 'unavailable' } | { is: 'failed' }

/**
 * Runs a program with a text as input where it sees all files and can change none: what it and its children write and
 * start ends with it. Linux only, as root or where users may have namespaces.
 */
export async function inOwnWorld(
  program: readonly string[],
  { input, folder }: { input: string; folder: string },
): Promise<WorldAnswer> {
  if (process.platform !== 'linux') return { is: 'unavailable' }
  const top = await mkdtemp(join(tmpdir(), 'tandem-world-'))
  try {
    return await answerOf(
      [...asUser().before, 'sh', '-c', build, 'sh', top, folder, ...asUser().after, ...program],
      input,
    )
  } finally {
    await rm(top, { recursive: true, force: true })
  }
}

/** Root needs no user namespace; another user is root in one until the world stands, and then itself again. */
function asUser(): { before: readonly string[]; after: readonly string[] } {
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0]
  const before = ['--mount', '--pid', '--fork', '--kill-child']
  return uid === 0
    ? { before, after: [] }
    : {
        before: ['--user', '--map-root-user', ...before],
        after: ['unshare', '--user', `--map-user=${uid}`, `--map-group=${gid}`],
      }
}

function answerOf(args: readonly string[], input: string): Promise<WorldAnswer> {
  return new Promise((resolve) => {
    const child = spawn('unshare', args, { stdio: ['pipe', 'pipe', 'ignore'] })
    const timer = setTimeout(() => child.kill('SIGKILL'), limitMs)
    const chunks: Buffer[] = []
    let size = 0
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > maxBytes) child.kill('SIGKILL')
      else chunks.push(chunk)
    })
    // A world that does not come to be reads nothing.
    child.stdin.on('error', () => undefined)
    child.stdin.end(input)
    const end = (answer: WorldAnswer) => {
      clearTimeout(timer)
      resolve(answer)
    }
    child.on('error', () => end({ is: 'unavailable' }))
    child.on('close', (code) => {
      if (code === 0) end({ is: 'said', text: Buffer.concat(chunks).toString('utf8') })
      // `unshare` itself says 1 where it may not; nothing has run then.
      else end({ is: code === 97 || (code === 1 && size === 0) ? 'unavailable' : 'failed' })
    })
  })
}
