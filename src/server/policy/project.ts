import { readdir, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import type { ProjectFact } from '../../session/policy/facts.ts'
import { readSmallFile } from '../../skill/read-file.ts'
import { type GitPlace, repositoryFact } from './git-settings.ts'

/** A declaration that is larger than this is not read. */
const maxBytes = 1024 * 1024
/** Names of tasks that check and build; others may do anything. */
const checks = /^(?:test|tests|build|lint|check|typecheck|type-check|tsc)(?:[:.-][\w:.-]+)?$/
/** Words in such a name that say it writes, or never ends. */
const changes =
  /(?:^|[:._-])(?:fix|write|watch|dev|update|clean|deploy|publish|release|migrate|seed)(?:$|[:._-])/

/** Scripts that say that they go on until somebody ends them. */
const watches = /(?:^|\s)(?:--watch(?:All)?|-w)(?=\s|$)|\bnodemon\b/

const PackageJson = z.object({
  scripts: z.record(z.string(), z.string()).catch({}).default({}),
  dependencies: z.record(z.string(), z.unknown()).catch({}).default({}),
  devDependencies: z.record(z.string(), z.unknown()).catch({}).default({}),
})

/** The tasks and the repository of a folder: what it declares itself, or those above it up to the workspace. */
export async function projectAt(folder: string, facts: GitPlace): Promise<ProjectFact> {
  const { workspace } = facts
  const folders = foldersUpTo(folder, await realpath(workspace).catch(() => workspace))
  const tasks = await Promise.all([
    npmTasks(folders),
    makeTasks(folder),
    ...[cargoTasks, goTasks, pythonTasks, otherTasks].map(async (tasksOf) =>
      (await Promise.all(folders.map(tasksOf))).flat(),
    ),
  ])
  return { tasks: [...new Set(tasks.flat())], git: await repositoryFact(folder, facts) }
}

export function foldersUpTo(folder: string, workspace: string): readonly string[] {
  const parent = dirname(folder)
  return folder === workspace || parent === folder
    ? [folder]
    : [folder, ...foldersUpTo(parent, workspace)]
}

async function textOf(path: string): Promise<string | null> {
  const text = await readSmallFile(path, maxBytes)
  return text.ok ? text.value.toString() : null
}

async function npmTasks(folders: readonly string[]): Promise<readonly string[]> {
  const packages = await Promise.all(folders.map((each) => packageAt(each)))
  const own = packages.find((each) => each !== null)
  const scripts = own == null ? [] : Object.keys(own.scripts)
  const declared = scripts.filter(
    (name) => checks.test(name) && !changes.test(name) && !watches.test(own?.scripts[name] ?? ''),
  )
  const tools = packages.flatMap((each) =>
    each === null ? [] : Object.keys({ ...each.dependencies, ...each.devDependencies }),
  )
  const wanted = ['vitest', 'jest', 'eslint', 'prettier', 'tsc'].filter((tool) =>
    tools.includes(tool === 'tsc' ? 'typescript' : tool),
  )
  // A tool that is not installed would come from the network.
  const installed = await Promise.all(wanted.map((tool) => isInstalled(tool, folders)))
  return [
    ...declared.map((name) => `npm ${name}`),
    ...wanted.filter((_, at) => installed[at]).map((tool) => `npx ${tool}`),
  ]
}

async function isInstalled(tool: string, folders: readonly string[]): Promise<boolean> {
  const found = folders.map((folder) => realpath(join(folder, 'node_modules/.bin', tool)))
  return (await Promise.allSettled(found)).some(({ status }) => status === 'fulfilled')
}

async function packageAt(folder: string): Promise<z.infer<typeof PackageJson> | null> {
  const text = await textOf(join(folder, 'package.json'))
  if (text === null) return null
  try {
    return PackageJson.parse(JSON.parse(text))
  } catch {
    return null
  }
}

async function makeTasks(folder: string): Promise<readonly string[]> {
  // The first of these that is there is the one that make reads.
  for (const name of ['GNUmakefile', 'makefile', 'Makefile']) {
    const text = await textOf(join(folder, name))
    if (text === null) continue
    const targets = [...text.matchAll(/^([\w.-]+(?:[ \t]+[\w.-]+)*)[ \t]*::?(?!=)/gm)].flatMap(
      ([, found = '']) => found.split(/\s+/),
    )
    const declared = targets.filter((target) => checks.test(target) && !changes.test(target))
    const first = targets.find((target) => !target.startsWith('.')) ?? ''
    const all = /^all[ \t]*:([^=\n#]*)$/m.exec(text)?.[1]?.trim().split(/\s+/) ?? []
    const isAll = first === 'all' && all.every((target) => declared.includes(target))
    return [
      ...declared.map((target) => `make ${target}`),
      ...(isAll || declared.includes(first) ? ['make all'] : []),
    ]
  }
  return []
}

async function cargoTasks(folder: string): Promise<readonly string[]> {
  const text = await textOf(join(folder, 'Cargo.toml'))
  return text === null ? [] : ['test', 'check', 'build', 'clippy'].map((verb) => `cargo ${verb}`)
}

async function goTasks(folder: string): Promise<readonly string[]> {
  const text = await textOf(join(folder, 'go.mod'))
  return text === null ? [] : ['test', 'build', 'vet', 'list'].map((verb) => `go ${verb}`)
}

async function pythonTasks(folder: string): Promise<readonly string[]> {
  const files = await Promise.all(
    ['pyproject.toml', 'pytest.ini', 'setup.cfg', 'tox.ini'].map((name) =>
      textOf(join(folder, name)),
    ),
  )
  const text = files.map((each) => each ?? '').join('\n')
  return [
    ...(/\bpytest\b/.test(text) ? ['pytest'] : []),
    ...(/\bruff\b/.test(text) ? ['ruff check'] : []),
    ...['mypy', 'black', 'isort', 'flake8', 'pylint', 'pyright'].filter((tool) =>
      new RegExp(`\\b${tool}\\b`).test(text),
    ),
  ]
}

/** Files that declare a project of another kind, and the tasks that each kind has. */
const kinds: readonly (readonly [file: string, says: RegExp, tasks: string])[] = [
  ['pom.xml', /<project/, 'mvn test,mvn compile,mvn verify,mvn package'],
  ['build.gradle', /^/, 'gradle test,gradle build,gradle check,gradle compileJava'],
  ['build.gradle.kts', /^/, 'gradle test,gradle build,gradle check,gradle compileJava'],
  ['Gemfile', /\brspec\b/, 'rspec'],
  ['Gemfile', /\brubocop\b/, 'rubocop'],
  ['Rakefile', /\btest\b/i, 'rake test'],
  ['Rakefile', /\bspec\b/i, 'rake spec'],
  ['mix.exs', /^/, 'mix test,mix compile'],
  ['Package.swift', /^/, 'swift build,swift test'],
  ['CMakeLists.txt', /^/, 'cmake --build'],
  ['composer.json', /phpunit/, 'phpunit'],
]

async function otherTasks(folder: string): Promise<readonly string[]> {
  const found = await Promise.all(
    kinds.map(async ([file, says, tasks]) =>
      isDeclared(await textOf(join(folder, file)), says) ? tasks.split(',') : [],
    ),
  )
  const names = await readdir(folder).catch(() => [])
  const isNet = names.some((name) => /\.(?:sln|csproj|fsproj)$/.test(name))
  return [
    ...found.flat(),
    ...(isNet ? ['dotnet build', 'dotnet test'] : []),
    ...(await justTasks(folder)),
  ]
}

function isDeclared(text: string | null, says: RegExp): boolean {
  return text !== null && says.test(text)
}

async function justTasks(folder: string): Promise<readonly string[]> {
  const text = (await textOf(join(folder, 'justfile'))) ?? ''
  return [...text.matchAll(/^([\w-]+)[^:=\n]*:(?!=)/gm)]
    .map(([, recipe = '']) => recipe)
    .filter((recipe) => checks.test(recipe) && !changes.test(recipe))
    .map((recipe) => `just ${recipe}`)
}
