import { effect, type Effect, type EffectKind } from '../effect.ts'
import { listed } from '../writes/deletes.ts'

/** Programs that never run unasked, by what they do, for a person: «deletes dist». `…` stands for the operands. */
const groups: readonly (readonly [EffectKind, string, string])[] = [
  ['destroy', 'writes raw data', 'dd'],
  ['destroy', 'cuts off …', 'truncate'],
  ['destroy', 'makes a new file system', 'mkfs'],
  ['destroy', 'changes partitions', 'fdisk'],
  ['outside', 'copies …, perhaps to another folder', 'install'],
  ['outside', 'links …, perhaps to another folder', 'ln'],
  ['unclear', 'changes files by a patch', 'patch'],
  ['outside', 'makes a temporary file', 'mktemp'],
  ['unclear', 'writes files with names of its own', 'split'],
  ['destroy', 'changes the rights of …', 'setfacl'],
  ['privilege', 'restarts the machine', 'reboot'],
  ['privilege', 'stops the machine', 'shutdown'],
  ['privilege', 'asks or changes the services of the machine', 'systemctl'],
  ['privilege', 'changes the services of the machine', 'service'],
  ['outside', 'changes what runs at set times', 'crontab'],
  ['outside', 'runs something later', 'at'],
  ['privilege', 'changes what is mounted', 'mount umount'],
  ['network', 'asks the network: …', 'ping dig nslookup host'],
  ['network', 'runs commands on another machine: …', 'ssh'],
  ['network', 'copies files to or from another machine', 'scp sftp'],
  ['network', 'copies files, perhaps to or from another machine', 'rsync'],
  ['network', 'opens a connection: …', 'nc ncat telnet'],
  ['network', 'opens a connection', 'socat'],
  ['network', 'asks GitHub', 'gh'],
  ['outside', 'uses containers', 'podman'],
  ['network', 'asks or changes a cluster', 'kubectl helm'],
  ['network', 'asks or changes infrastructure', 'terraform'],
  ['network', 'asks or changes a cloud account', 'aws gcloud az'],
  ['privilege', 'changes the programs of the machine', 'apt-get apt dnf yum pacman'],
  ['network', 'installs or asks for programs', 'brew'],
  ['network', 'installs or asks for packages', 'pip pip3'],
  ['code', 'runs a text as a command', 'eval'],
  ['code', 'runs a file in this shell: …', 'source .'],
  ['state', 'replaces the shell', 'exec'],
  ['state', 'ends the shell', 'exit logout'],
  [
    'state',
    'changes variables of the shell',
    'export declare typeset local readonly unset read mapfile readarray',
  ],
  ['state', 'changes how the shell works', 'set shopt setopt unsetopt'],
  ['state', 'changes what commands mean', 'alias unalias'],
  ['state', 'runs something later', 'trap'],
  ['state', 'changes which program a name means', 'hash'],
  ['state', 'changes which commands are built in', 'enable'],
  ['unclear', 'runs what is built into the shell', 'builtin'],
  ['state', 'changes the limits of the shell', 'ulimit'],
  ['state', 'changes the rights of new files', 'umask'],
  ['state', 'changes keys of the shell', 'bind'],
  ['state', 'changes completion of the shell', 'complete'],
  ['secret', 'shows or changes what was typed', 'history'],
  ['code', 'runs what was typed before', 'fc'],
  ['state', 'changes the folder of the shell', 'pushd popd'],
  ['terminal', 'waits for what runs in the background', 'wait'],
  ['terminal', 'brings a program to the front', 'fg'],
  ['terminal', 'lets a program go on in the background', 'bg'],
  ['state', 'lets a program go on without the shell', 'disown'],
  ['terminal', 'goes on in the background', 'nohup setsid'],
  ['terminal', 'opens an editor', 'vim vi nvim nano emacs'],
  ['terminal', 'opens a pager', 'less more man'],
  ['terminal', 'takes the terminal', 'top htop watch tmux screen'],
  ['code', 'runs Python code', 'python python3'],
  ['code', 'runs JavaScript code', 'node deno bun'],
  ['code', 'runs a package, perhaps from the network', 'npx'],
  ['code', 'runs Ruby code', 'ruby'],
  ['code', 'runs Perl code', 'perl'],
  ['code', 'runs PHP code', 'php'],
  ['code', 'runs Lua code', 'lua'],
  ['code', 'runs a script of the desktop', 'osascript'],
  ['secret', 'uses keys', 'gpg ssh-add'],
  ['secret', 'makes or shows keys', 'ssh-keygen'],
  ['secret', 'shows passwords', 'pass security'],
  ['secret', 'shows variables, which may hold passwords and keys', 'printenv'],
  ['settings', 'steers Tandem itself', 'tandem'],
]

const sayings: ReadonlyMap<string, readonly [EffectKind, string]> = new Map(
  groups.flatMap(([kind, saying, names]) => names.split(' ').map((name) => [name, [kind, saying]])),
)

/** Programs that reach what no folder here holds. */
const reaching = new Set(
  'gh docker podman kubectl helm terraform aws gcloud az brew pip pip3 systemctl'.split(' '),
)

/** Verbs of programs for clouds, clusters, containers and packages after which something is gone. */
const deletes =
  /^(?:delete|destroy|remove|rm|rmi|purge|prune|drop|wipe|terminate|uninstall|unpublish|drain)(?:$|-)/

/** The word after which something is gone, if there is one. */
export function deletingVerb(operands: readonly string[]): string | undefined {
  return operands.slice(0, 3).find((word) => deletes.test(word))
}

/** The effect of a program that is not known to be harmless. */
export function otherEffect(name: string, operands: readonly string[]): Effect {
  const verb = deletingVerb(operands)
  if (verb !== undefined && !sayings.has(name))
    return effect('destroy', `may delete something with ${name} ${verb}`)
  if (verb !== undefined && reaching.has(name))
    return effect('destroy', `deletes something with ${name} ${verb}`)
  const [kind, saying] = sayings.get(name) ?? [
    'code',
    `runs ${name}, which is not on the list of programs that only read`,
  ]
  return effect(
    kind,
    saying.replace('…', () => listed(operands)),
  )
}
