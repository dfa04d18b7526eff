import type { Part } from './part.ts'

const set = (...lines: readonly string[]): ReadonlySet<string> =>
  new Set(lines.flatMap((line) => line.split(' ')))

/** Programs that run what they are given, reach other machines or steer this one: each call is asked about. */
const never = set(
  // shells, and what runs another command
  'sh bash zsh fish dash ksh mksh csh tcsh ash busybox toybox eval source . exec command builtin env sudo su doas pkexec run0',
  'xargs parallel find fd fdfind nohup setsid watch tmux screen script expect strace ltrace gdb lldb time timeout nice stdbuf',
  'at batch crontab systemd-run chroot unshare nsenter flock entr trap fc coproc ssh-agent chpst setpriv runuser',
  // interpreters and editors, which are interpreters
  'deno bun osascript julia ghci irb iex elixir erl scala groovy jshell java awk gawk mawk nawk bc dc ed ex vi vim nvim emacs nano',
  'sqlite3 psql mysql mariadb mongo mongosh redis-cli duckdb jq yq tclsh wish guile racket sbcl octave gnuplot m4',
  // what a file of the folder says
  'make gmake just task rake tox nox mvn gradle ant bazel buck ninja cmake meson scons invoke fab ansible ansible-playbook',
  'npx bunx pnpx uvx pipx nix nix-shell nix-build docker docker-compose podman nerdctl vagrant terraform tofu pulumi',
  // git, and what deletes
  'git hub rm rmdir unlink shred dd truncate mkfs fdisk chmod chown chgrp kill pkill killall',
  // other machines
  'ssh scp sftp rsync rclone curl wget aria2c http https xh nc ncat netcat socat telnet ftp',
  'tandem skill',
)

/** The same under the names of their versions. */
const interpreters =
  /^(?:python|pypy|node|nodejs|ruby|perl|php|lua|luajit|R|Rscript|tsx?|ts-node)[\d.]*$/

/** Programs that also run scripts: only these verbs of theirs run none that their words do not name. */
const verbs: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['npm', set('install i ci add update outdated audit view info')],
  ['pnpm', set('install i add update outdated audit view')],
  ['yarn', set('install add outdated')],
  ['cargo', set('add update fetch fmt')],
  ['go', set('get mod fmt')],
  ['pip', set('install download list show')],
  ['pip3', set('install download list show')],
  ['uv', set('add sync lock')],
  ['poetry', set('add install lock')],
  ['bundle', set('install update')],
  ['gem', set('install list')],
  ['composer', set('install require')],
  ['brew', set('install upgrade info list')],
])

/** Words of programs for other machines, after which something is gone, or out. */
const grave =
  /^-{0,2}(?:delete|destroy|remove|rm|purge|prune|drop|wipe|reset|force|merge|publish|apply|exec|run|eval|rollback|uninstall)(?:$|[=-])/i

/** More than this is no rule that a person reads. */
const maxChars = 400

/** Says whether a rule may be about this part: SECURITY.md lists what never may. */
export function isOfferable({ program, args }: Part): boolean {
  const [verb] = args
  if (verb === undefined || never.has(program) || interpreters.test(program)) return false
  if (!/^[A-Za-z][\w+-]*(?:\.[\w+-]+)*$/.test(program)) return false
  const known = verbs.get(program)
  if (known !== undefined && !known.has(verb)) return false
  const isReadable = args.every((arg) => arg !== '' && !/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.test(arg))
  return isReadable && args.join(' ').length <= maxChars && !args.some((arg) => grave.test(arg))
}

/** Verbs that only look, whatever they are asked about: names may follow in a rule. */
const looking: readonly (readonly [string, readonly string[]])[] = [
  ['gh', ['pr', 'view']],
  ['gh', ['pr', 'diff']],
  ['gh', ['pr', 'checks']],
  ['gh', ['issue', 'view']],
  ['gh', ['run', 'view']],
  ['gh', ['release', 'view']],
  ['npm', ['view']],
  ['kubectl', ['get']],
  ['kubectl', ['describe']],
  ['kubectl', ['logs']],
]

/** The first words of a part behind which a rule lets plain names follow; null when every word counts. */
export function openWords({ program, args }: Part): readonly string[] | null {
  const found = looking.find(
    ([name, words]) => name === program && words.every((word, at) => args[at] === word),
  )
  if (found === undefined) return null
  const [, words] = found
  const names = args.slice(words.length)
  return names.length > 0 && names.every(isPlainName) ? words : null
}

/** A number, a branch, a pod: no option, address, path or secret. */
export function isPlainName(word: string): boolean {
  return /^[A-Za-z0-9][\w.-]*$/.test(word) && !/secret|token|password/i.test(word)
}
