// needs: zsh
// takes: 85 s
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { judgeNow } from '../../src/server/policy/judge-now.ts'
import type { Facts } from '../../src/session/policy/facts.ts'
import { systemPrograms } from '../../src/session/policy/programs/system.ts'
import { textPrograms } from '../../src/session/policy/programs/text.ts'
import { createRandom } from '../store/random.ts'
import { plainShell } from '../support/plain-shell.ts'
import { tempFolder } from '../support/temp.ts'
import { createPrograms } from './planted-programs.ts'
import { type Ran, stubbedShell } from './stubbed-shell.ts'

const wanted = Number(process.env['TANDEM_PROGRAMS'] ?? 20_000)
/** A verdict waits for a shell that reads the program, too: so many wait together. */
const together = 8
const examples = readFileSync(new URL('corpus/everyday.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => (JSON.parse(line) as { command: string }).command)
  .filter((command) => !command.includes('/home/ada'))
const specs = { ...textPrograms, ...systemPrograms }
const names = [
  ...Object.keys(specs).filter(
    (name) => /^[a-z]\w*$/.test(name) && !/^(?:type|jobs|pwd)$/.test(name),
  ),
  ...'planted git find sed awk gawk mawk jq npm npx make cargo go pytest python python3 node touch mkdir rm cp mv tee'.split(
    ' ',
  ),
].filter((name) => name !== 'true' && name !== 'false')

const askShell = async () => plainShell()
const quote = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** What is in a folder: names, sizes and times. */
function contentOf(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => !path.startsWith('.git'))
    .map((path) => {
      const { size, mtimeMs, mode } = statSync(join(folder, path))
      return `${path} ${mode} ${size} ${mode & 0o40_000 ? '' : mtimeMs}`
    })
    .sort()
    .join('\n')
}

async function workspaceIn(folder: string): Promise<Omit<Facts, 'files' | 'live'>> {
  const workspace = join(folder, 'shop')
  mkdirSync(join(workspace, 'src'), { recursive: true })
  mkdirSync(join(workspace, 'docs'))
  writeFileSync(join(workspace, 'README.md'), 'planted\n')
  writeFileSync(join(workspace, '.env'), 'planted\n')
  execFileSync('git', ['init', '-q', workspace])
  return {
    approval: 'guarded',
    workspace,
    cwd: workspace,
    shell: 'bash',
    home: folder,
    isTrusted: true,
  }
}

test.each([
  ['bash', wanted],
  ['zsh', wanted / 2],
] as const)(
  '[APP8] what runs in %s is what was judged: no planted command, no other argument, no file',
  async (name, count) => {
    const random = createRandom(`differential, ${name}`)
    const temp = await tempFolder()
    const facts = { ...(await workspaceIn(temp.path)), shell: name }
    const shell = stubbedShell(temp.path, { name, names, cwd: facts.workspace })
    const before = contentOf(facts.workspace)
    const isAsBefore = () => contentOf(facts.workspace) === before
    const program = createPrograms(random, examples)
    const judged = new Map<string, string | null>()

    /** Why a call that really happened should have been asked for; null when it is allowed, too. */
    async function whyNot({ folder, words }: Ran): Promise<string | null> {
      const [name = ''] = words
      if (name === 'planted') return 'the planted command ran'
      // A pattern without a match is the name of a file that is not there.
      const isNoFile = (word: string) => /[*?[]/.test(word) && !existsSync(resolve(folder, word))
      if (words.some((word) => word.startsWith('/') && isNoFile(word))) return null
      // Such a name has the output of a command, which is judged where it stands.
      const said = words.map((word) =>
        /^\/(?:dev|proc\/self)\/fd\/\d+/.test(word) ? 'README.md' : word,
      )
      const call = `${said.map(quote).join(' ')} </dev/null`
      const key = `${folder} ${call}`
      const known = judged.get(key)
      if (known !== undefined) return known
      const { decision, reasons } = await judgeNow(
        call,
        { ...facts, shell: 'bash', cwd: folder },
        askShell,
      )
      const isAbsent = (reason: string) =>
        words.some((word) => isNoFile(word) && reason.includes(`/${word}, which is a secret`))
      const reason = reasons.filter((each) => !isAbsent(each)).join('; ')
      // An option that nobody knows does no harm to a program that has none which does.
      const isTame = Object.hasOwn(specs, name) && specs[name]?.isTame === true
      const why =
        decision === 'allow' || reason === '' || (isTame && !/secret|reads/.test(reason))
          ? null
          : reason
      judged.set(key, why)
      return why
    }

    let allowed = 0
    let called = 0
    const missed: string[] = []
    for (let n = 0; n < count && missed.length < 20 && isAsBefore(); n += together) {
      if (n > 0 && n % 10_000 === 0)
        process.stdout.write(`${name}: ${n} programs, ${random.seed}\n`)
      const texts = Array.from({ length: together }, program)
      const verdicts = await Promise.all(texts.map((text) => judgeNow(text, facts, askShell)))
      for (const text of texts.filter((_, at) => verdicts[at]?.decision === 'allow')) {
        allowed += 1
        const ran = await shell.run(text)
        called += ran.length
        for (const each of ran) {
          const why = await whyNot(each)
          if (why !== null)
            missed.push(`${JSON.stringify(text)} ran ${each.words.join(' ')}: ${why}`)
        }
        if (!isAsBefore()) {
          missed.push(`${JSON.stringify(text)} changed a file`)
          break
        }
      }
    }
    await shell.end()
    await temp.remove()
    expect(missed, random.seed).toEqual([])
    process.stdout.write(`${count} programs, ${allowed} allowed, ${called} calls\n`)
    // The generator must write much that runs, or nothing was tried.
    expect(allowed).toBeGreaterThan(count / 25)
    expect(called).toBeGreaterThan(allowed / 4)
  },
  // Each takes a few milliseconds, most of them in a shell.
  Math.max(600_000, wanted * 50),
)
