/** Files that declare tasks, or configure the tools that tasks run. */
const taskFile =
  /^(?:package\.json|(?:gnu)?makefile|[\w.-]+\.mk|[\w.-]+\.config\.(?:[cm]?[jt]sx?|json|ya?ml)|[\w.-]*\.setup\.[cm]?[jt]sx?|[tj]sconfig[\w.-]*\.json|\.(?:eslintrc|prettierrc|babelrc|mocharc|swcrc|nycrc)(?:\.\w+)?|pyproject\.toml|setup\.(?:py|cfg)|tox\.ini|pytest\.ini|mypy\.ini|ruff\.toml|(?:conftest|sitecustomize|usercustomize)\.py|noxfile\.py|cargo\.toml|build\.rs|rust-toolchain(?:\.toml)?|go\.(?:mod|work)|justfile|\.justfile|taskfile\.ya?ml|(?:build|settings)\.gradle(?:\.kts)?|gradle\.properties|pom\.xml|cmakelists\.txt|(?:turbo|nx|lerna)\.json|deno\.jsonc?|.+\.(?:workspace|conf)\.(?:[cm]?[jt]sx?|json)|\.rspec|rakefile|.+\.(?:rake|gemspec)|\.mypy\.ini|\.?pylintrc|gemfile(?:\.lock)?|mix\.exs|package\.swift|.+\.(?:[cf]sproj|vbproj|slnx?|cmake)|directory\.build\.(?:props|targets)|composer\.json|phpunit\.xml.*|\.flake8|\.rubocop\.ya?ml|\.coveragerc)$/i

export function isTaskFile(name: string): boolean {
  return taskFile.test(name)
}

/** A line or two on a change, for a question: more is not read there. */
const maxLines = 6
const maxChars = 160

/** The difference between two texts, as lines that are gone and lines that are new. */
export function changeWords(name: string, before: string | null, after: string | null): string {
  if (after === null) return `${name} is gone`
  if (before === null) return `${name} is new or was changed in this session`
  const scripts = name.endsWith('package.json') ? scriptChanges(before, after) : []
  if (scripts.length > 0) return `${name} has changed: ${bounded(scripts)}`
  const old = new Set(before.split('\n'))
  const now = new Set(after.split('\n'))
  const gone = [...old].filter((line) => !now.has(line)).map((line) => `− ${line.trim()}`)
  const come = [...now].filter((line) => !old.has(line)).map((line) => `+ ${line.trim()}`)
  const lines = [...gone, ...come]
  return `${name} has changed: ${lines.length === 0 ? 'the order of its lines' : bounded(lines)}`
}

function bounded(lines: readonly string[]): string {
  const shown = lines.slice(0, maxLines).map((line) => clipped(line))
  const more = lines.length - shown.length
  return [...shown, ...(more > 0 ? [`and ${more} more lines`] : [])].join(' · ')
}

function clipped(line: string): string {
  return line.length > maxChars ? `${line.slice(0, maxChars)}…` : line
}

/** The scripts of a package that are not as they were; none when one of the texts cannot be read. */
function scriptChanges(before: string, after: string): readonly string[] {
  const old = scriptsOf(before)
  const now = scriptsOf(after)
  if (old === null || now === null) return []
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((name) => {
    const [was, is] = [old.get(name), now.get(name)]
    if (was === is) return []
    if (was === undefined) return [`script ${name} is new: “${is}”`]
    return [is === undefined ? `script ${name} is gone` : `script ${name} was “${was}”, is “${is}”`]
  })
}

function scriptsOf(text: string): ReadonlyMap<string, string> | null {
  try {
    const json: unknown = JSON.parse(text)
    const scripts: unknown =
      typeof json === 'object' && json !== null && 'scripts' in json ? json.scripts : {}
    if (typeof scripts !== 'object' || scripts === null) return null
    return new Map(Object.entries(scripts).map(([name, script]) => [name, String(script)]))
  } catch {
    return null
  }
}
