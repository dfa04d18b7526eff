import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'

/** A file that the product reads: where it is, and what to do with it. */
export interface FileRow {
  /** In the home of the person: the data folder is `tandem`, the project `workspace`. */
  path: (ids: { session: string; oneShot: string }) => string
  /** The paths in the data folder that this row stands for. */
  pattern?: RegExp
  /** JSON of the wrong shape, or of a version that is yet to come. */
  wrong?: readonly string[]
}

const ofSession = (path: string) => (ids: { session: string }) =>
  `tandem/teams/default/sessions/${ids.session}/${path}`
const own = (name: string) => () => `tandem/${name}`
const jsonOf = (...more: readonly string[]) => ['7', '[]', '{}', '"x"', '[[[[]]]]', ...more]

/** Every file that is read; a new one in a data folder needs a row here, or the reason why it has none. */
export const fileRows: Readonly<Record<string, FileRow>> = {
  token: { path: own('token'), pattern: /^token$/, wrong: ['x\n', '\n'] },
  'identity.pem': {
    path: own('identity.pem'),
    pattern: /^identity\.pem$/,
    wrong: ['-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n'],
  },
  'browsers.json': {
    path: own('browsers.json'),
    pattern: /^browsers\.json$/,
    wrong: jsonOf('[{"id":7}]'),
  },
  'credentials.json': {
    path: own('credentials.json'),
    pattern: /^credentials\.json$/,
    wrong: jsonOf('{"work":{"key":7}}'),
  },
  'server.json': {
    path: own('server.json'),
    wrong: jsonOf('{"url":"http://192.0.2.1:1","pid":1,"version":"9"}', '{"url":7}'),
  },
  port: { path: own('port'), pattern: /^port$/, wrong: jsonOf('-1', '70000', '1e99') },
  // Written first, and then moved to their places.
  'port.new': { path: own('port.new') },
  'server.json.new': { path: own('server.json.new') },
  'skill.json.new': { path: ofSession('skill.json.new') },
  'bin/skill.new': { path: ofSession('bin/skill.new') },
  'server.sock': { path: own('server.sock') },
  'server.lock': { path: own('server.lock'), pattern: /^server\.lock$/ },
  'server.log': { path: own('server.log') },
  'diagnostics.jsonl': { path: own('diagnostics.jsonl'), pattern: /^diagnostics\.jsonl$/ },
  'tandem.db': { path: own('tandem.db'), pattern: /^tandem\.db$/ },
  'tandem.db-wal': { path: own('tandem.db-wal'), pattern: /^tandem\.db-(wal|shm)$/ },
  'holder.json': {
    path: ofSession('holder.json'),
    wrong: jsonOf('{"pid":1,"startTime":"0","socket":"/dev/null","generation":1}'),
  },
  'holder.log': { path: ofSession('holder.log'), pattern: /\/holder\.log$/ },
  'skill.json': { path: ofSession('skill.json'), pattern: /\/skill\.json$/, wrong: jsonOf() },
  'bin/skill': { path: ofSession('bin/skill'), pattern: /\/bin\/skill$/ },
  segment: { path: ofSession('pty/0000000000000000.log'), pattern: /\/pty\/\d{16}\.log$/ },
  'a segment far away': { path: ofSession('pty/9999999999999999.log') },
  times: { path: ofSession('pty/0000000000000000.times'), pattern: /\/pty\/\d{16}\.times$/ },
  'large-runs': { path: ofSession('pty/large-runs') },
  'first-screen.json': {
    path: ofSession('pty/first-screen.json'),
    wrong: jsonOf('{"offset":-1,"rows":1e9,"cols":-1,"data":7}'),
  },
  'process.json': {
    path: (ids) => ofSession(`one-shot/${ids.oneShot}/process.json`)(ids),
    wrong: jsonOf('{"bootId":7}', '{"bootId":"","mark":"","leader":{"pid":1,"startTime":0}}'),
  },
  stdout: {
    path: (ids) => ofSession(`one-shot/${ids.oneShot}/stdout`)(ids),
    pattern: /\/one-shot\/[^/]+\/(stdout|stderr)$/,
  },
  'config.json': {
    path: () => '.config/tandem/config.json',
    wrong: jsonOf('{"port":"x"}', '{"unknown":1}', '{"model":{}}', '{"__proto__":{"port":1}}'),
  },
  'AGENTS.md': { path: () => 'workspace/AGENTS.md' },
  'a project’s skill': {
    path: () => 'workspace/.tandem/skills/tidy/SKILL.md',
    wrong: ['---\nname: [\n---\n', '---\nname: ../..\ndescription: x\n---\n'],
  },
  'a person’s skill': { path: () => '.config/tandem/skills/neat/SKILL.md' },
  'a command file': {
    path: () => 'workspace/.tandem/commands/greet.md',
    wrong: ['---\ndescription: {}\n---\n'],
  },
  'a command file of another’s': { path: () => 'workspace/.claude/commands/part.md' },
  'a command file in TOML': {
    path: () => 'workspace/.gemini/commands/ask.toml',
    wrong: ['prompt = 7', 'prompt = "', '[prompt]'],
  },
}

/** Ways in which a file is not what it should be. */
export const spoilers: Readonly<Record<string, (path: string) => void>> = {
  'a FIFO': (path) => replace(path, () => execFileSync('mkfifo', [path])),
  'a folder': (path) => replace(path, () => mkdirSync(path)),
  missing: (path) => rmSync(path, { force: true }),
  empty: (path) => write(path, ''),
  truncated: (path) =>
    truncateSync(ensure(path), Math.floor(readFileSync(ensure(path)).length / 2)),
  random: (path) =>
    write(path, Buffer.from(Array.from({ length: 5_000 }, (_, n) => (n * 193) % 251))),
  huge: (path) => truncateSync(ensure(path), 600 * 1024 * 1024),
  'a link': (path) => {
    const real = `${ensure(path)}.elsewhere`
    renameSync(path, real)
    symlinkSync(real, path)
  },
  'a link to nothing': (path) => replace(path, () => symlinkSync('/no/such/file', path)),
  'a link to a device': (path) => replace(path, () => symlinkSync('/dev/zero', path)),
  'open to all': (path) => chmodSync(ensure(path), 0o666),
}

function replace(path: string, make: () => unknown): void {
  rmSync(path, { recursive: true, force: true })
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  make()
}

export function write(path: string, text: string | Buffer): void {
  replace(path, () => writeFileSync(path, text, { mode: 0o600 }))
}

function ensure(path: string): string {
  if (!existsSync(path)) write(path, 'x')
  return path
}
