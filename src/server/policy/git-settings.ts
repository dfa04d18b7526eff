import { lstat, readdir, realpath, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Facts, GitFact } from '../../session/policy/facts.ts'
import { readSmallFile } from '../../skill/read-file.ts'
import { submodulesOf, type Worktree } from './submodules.ts'

/** Keys of git's configuration that run programs or change what git reads, wherever they stand. */
const running =
  /^(?:core\.(?:fsmonitor|pager|editor|sshcommand|hookspath|askpass|gitproxy|worktree|attributesfile|excludesfile|alternaterefscommand)|format\.pretty|pretty\..*|sequence\.editor|diff\..*|filter\..*|merge\..*\.driver|alias\..*|pager\..*|gpg\..*|credential\..*|.*\.proxy|url\..*|protocol\..*|include\..*|includeif\..*|interactive\.difffilter|difftool\..*|mergetool\..*|browser\..*|man\..*|uploadpack\..*|receive\..*|remote\..*\.(?:vcs|uploadpack|receivepack|promisor)|submodule\..*\.update|extensions\.(?!worktreeconfig$).*|trace2?\..*|gc\.recentobjectshook|hook\..*|trailer\..*|(?:commit|tag|push)\.gpgsign|log\.showsignature)$/s
/** The few of those that git itself writes, or that only choose colours and words. */
const harmless =
  /^(?:diff\.(?:renames|algorithm|colormoved|noprefix|mnemonicprefix|context|interhunkcontext|submodule)|url\.https:\/\/[\w./-]+\.insteadof)$/

export type GitPlace = Pick<Facts, 'workspace' | 'since' | 'opened' | 'home'>

/** The reasons why git may not do something in a folder unasked. */
export async function repositoryFact(
  folder: string,
  { workspace, ...user }: GitPlace,
): Promise<GitFact> {
  const root = await rootOf(folder)
  if (root === null) return never('runs git where there is no repository')
  const trusted = await rootOf(await realpath(workspace).catch(() => workspace))
  if (root !== trusted) return never(`runs git in another repository, ${root}`)
  const git = join(root, '.git')
  if (!(await isFolder(git))) return never(elsewhere)
  const setting = (await settingThatRuns({ git, root })) ?? (await newSettingThatRuns(user))
  if (setting !== null) return never(setting)
  const hooks = await hooksIn(join(git, 'hooks'))
  const isRead = hooks.includes('post-index-change')
  const [hook] = hooks
  const records = hook === undefined ? null : `runs the hook ${hook} of the repository`
  const reads = isRead ? records : null
  const config = await settingsIn(join(git, 'config'))
  const hasPassword = config === null || urlWithPassword.test(config)
  return { reads, records, remotes: hasPassword ? 'shows a remote with a password in it' : reads }
}

function never(reason: string): GitFact {
  return { reads: reason, records: reason, remotes: reason }
}

/** A password, or a token in the place of a name. */
const urlWithPassword = /url\s*=\s*["']?https?:\/\/(?:[^\s/@:]*:[^\s/@]+|[^\s/@]{20,})@/i

/** Hooks that run when something is added, committed, merged or switched to. */
const hookNames =
  /^(?:post-index-change|pre-commit|prepare-commit-msg|commit-msg|post-commit|post-checkout|reference-transaction|pre-auto-gc|post-rewrite|post-merge|pre-merge-commit|applypatch-msg|pre-applypatch|post-applypatch|pre-rebase)$/

async function hooksIn(folder: string): Promise<readonly string[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => hookNames.test(name))
  const found = await Promise.all(
    names.map(async (name) => {
      const mode = (await stat(join(folder, name)).catch(() => null))?.mode ?? 0
      return (mode & 0o111) === 0 ? [] : [name]
    }),
  )
  return found.flat()
}

/** More repositories in one another than these are not looked at. */
const maxDepth = 4

const elsewhere = 'runs git in a work tree whose repository is elsewhere'

async function settingThatRuns(worktree: Worktree, depth = 0): Promise<string | null> {
  const { git } = worktree
  if (await isThere(join(git, 'commondir'))) return elsewhere
  for (const name of ['config', 'config.worktree']) {
    const text = await settingsIn(join(git, name))
    if (text === null) return `runs git, whose settings in ${join(git, name)} cannot be read`
    // Git itself says in a submodule where its files are.
    const [key] = runningIn(text).filter((each) => depth === 0 || each !== 'core.worktree')
    if (key !== undefined)
      return `runs git, which the repository's setting ${key} may make run a program`
  }
  const within = depth < maxDepth ? await submodulesOf(worktree) : null
  if (within === null) return 'runs git, which enters repositories that nobody looked at'
  for (const each of within) {
    const why = await settingThatRuns(each, depth + 1)
    if (why !== null) return why
  }
  return null
}

/** The user's own settings are theirs, as they were when the session began: what came since may be a program's. */
async function newSettingThatRuns({
  home,
  since,
  opened = since,
}: Omit<GitPlace, 'workspace'>): Promise<string | null> {
  if (home === null || opened === undefined) return null
  for (const path of [join(home, '.gitconfig'), join(home, '.config/git/config')]) {
    const changedAt = (await stat(path).catch(() => null))?.ctimeMs ?? 0
    if (changedAt < opened) continue
    const text = await settingsIn(path)
    if (text === null) return `runs git, whose settings in ${path} cannot be read`
    const [key] = runningIn(text)
    if (key !== undefined)
      return `runs git, which the setting ${key} of ${path} may make run a program since this session began`
  }
  return null
}

/** More settings than these are not read. */
const maxBytes = 1024 * 1024

/** The text of a configuration, empty where there is none; null when it cannot be read. */
async function settingsIn(path: string): Promise<string | null> {
  if (!(await isThere(path))) return ''
  const text = await readSmallFile(path, maxBytes)
  return text.ok ? text.value.toString() : null
}

function runningIn(text: string): readonly string[] {
  return keysOf(text).filter((each) => running.test(each) && !harmless.test(each))
}

/** The nearest folder with a `.git`, seen from the file system alone: git itself would obey what it finds. */
export async function rootOf(folder: string): Promise<string | null> {
  // A folder with these two in it is a repository to git, whose settings it obeys.
  const isBare = (await isThere(join(folder, 'HEAD'))) && (await isThere(join(folder, 'objects')))
  if (isBare || (await isThere(join(folder, '.git')))) return folder
  const parent = dirname(folder)
  return parent === folder ? null : rootOf(parent)
}

async function isThere(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null)) !== null
}

async function isFolder(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null))?.isDirectory() ?? false
}

/** The keys of a configuration, in small letters; what cannot be read has a name that asks. */
export function keysOf(text: string): readonly string[] {
  let section = ''
  return text.split('\n').flatMap((line) => {
    // Git does not end a line there, and a reader may.
    if (/\r(?!$)|[\u2028\u2029]/.test(line)) return ['include.unknown']
    const head = /^\s*\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\](.*)$/s.exec(line)
    if (head !== null) section = [head[1], head[2]].filter((part) => part !== undefined).join('.')
    const rest = (head?.[3] ?? line).trim()
    if (rest === '' || /^[#;]/.test(rest)) return []
    // A value that goes on in the next line may hide where a section ends.
    const key = /^([A-Za-z][\w-]*)\s*(?:=(?!.*\\$)|$)/s.exec(rest)?.[1]
    return [key === undefined ? 'include.unknown' : `${section}.${key}`.toLowerCase()]
  })
}
