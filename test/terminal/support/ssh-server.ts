// needs: ssh sshd ssh-keygen
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'

/** A real sshd for one user, with keys and a port of its own. */
export interface SshServer {
  /** What one types to get in. */
  command: string
  close(): void
}

/** `shell`: what every login runs. */
export async function startSshServer(shell: string): Promise<SshServer> {
  const folder = mkdtempSync(join(tmpdir(), 'tandem-sshd-'))
  const at = (name: string) => join(folder, name)
  for (const name of ['host', 'client'])
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', at(name)])
  // Where sshd, as root, puts itself before it knows who is there.
  if (process.getuid?.() === 0 && !existsSync('/run/sshd')) mkdirSync('/run/sshd')
  const port = await freePort()
  writeFileSync(
    at('config'),
    [
      `Port ${port}`,
      'ListenAddress 127.0.0.1',
      `HostKey ${at('host')}`,
      `AuthorizedKeysFile ${at('client.pub')}`,
      `PidFile ${at('pid')}`,
      'StrictModes no',
      'UsePAM no',
      'PermitRootLogin yes',
      'PrintMotd no',
      `ForceCommand exec ${shell}`,
    ].join('\n'),
  )
  const sshd = spawn('/usr/sbin/sshd', ['-D', '-e', '-f', at('config')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  await new Promise<void>((resolve, reject) => {
    let said = ''
    sshd.stderr.on('data', (bytes) => {
      said += String(bytes)
      if (said.includes('Server listening')) resolve()
    })
    sshd.on('exit', () => reject(new Error(`sshd ended: ${said}`)))
    sshd.on('error', reject)
  })
  const options = ['StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null', 'LogLevel=ERROR']
  return {
    command: [
      `ssh -tF none -i ${at('client')} -p ${port}`,
      ...options.map((option) => `-o ${option}`),
      `${userInfo().username}@127.0.0.1`,
    ].join(' '),
    close() {
      sshd.kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' ? (address?.port ?? 0) : 0))
    })
  })
}
