// Runs the tests. What they need from the system is installed first where that can be done (Debian,
// root); elsewhere it says exactly what is missing. Arguments go on to vitest.
import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Program, or a file by its whole path → Debian package. */
const needed = {
  bash: 'bash',
  chromium: 'chromium',
  zsh: 'zsh',
  fish: 'fish',
  git: 'git',
  bc: 'bc',
  dc: 'dc',
  direnv: 'direnv',
  ed: 'ed',
  inotifywait: 'inotify-tools',
  less: 'less',
  make: 'make',
  man: 'man-db',
  nano: 'nano',
  openssl: 'openssl',
  perl: 'perl',
  ping: 'iputils-ping',
  python3: 'python3',
  sqlite3: 'sqlite3',
  'ssh-keygen': 'openssh-client',
  sshd: 'openssh-server',
  sudo: 'sudo',
  tmux: 'tmux',
  top: 'procps',
  vi: 'vim-tiny',
  whiptail: 'whiptail',
  '/usr/share/zsh-autosuggestions/zsh-autosuggestions.zsh': 'zsh-autosuggestions',
  '/usr/share/zsh-syntax-highlighting/zsh-syntax-highlighting.zsh': 'zsh-syntax-highlighting',
}

function isThere(program) {
  if (program.startsWith('/')) return existsSync(program)
  // Servers are not in everybody's search path.
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin']
  return folders.some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

function run(command, args) {
  return spawnSync(command, args, { stdio: 'inherit' }).status ?? 1
}

const missing = Object.keys(needed).filter((program) => !isThere(program))
if (missing.length > 0) {
  const packages = missing.map((program) => needed[program])
  const install = `apt-get update && apt-get install -y --no-install-recommends ${packages.join(' ')}`
  const canInstall = isThere('apt-get') && process.getuid?.() === 0
  if (!canInstall) {
    console.error(`The tests need ${missing.join(', ')}. On Debian: sudo sh -c '${install}'`)
    process.exit(1)
  }
  console.log(`Installing ${packages.join(', ')} for the tests`)
  if (run('sh', ['-c', install]) !== 0) process.exit(1)
}
process.exit(
  run(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...process.argv.slice(2)]),
)
