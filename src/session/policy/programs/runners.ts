/** A runner of tasks that a folder declares, and how it is called. */
export interface Runner {
  /** The words that name a task, as `Facts.tasks` has them; null when none is named. */
  task(words: readonly string[]): { task: string; taken: number } | null
  /** Options that load no code and write nothing but what the task itself does. */
  flags: ReadonlySet<string>
  values: ReadonlySet<string>
}

const set = (text: string): ReadonlySet<string> =>
  new Set(text.split(' ').filter((word) => word !== ''))
const testFlags =
  '--run --silent --quiet -q -v -vv -x --verbose --bail --bail=1 --coverage --no-coverage --watch=false --ci --runInBand -i --lf --ff -s --passWithNoTests --no-color --color --tb=short --tb=long --tb=no --maxfail=1 --reporter=verbose --reporter=dot --reporter=default -rA -ra'
const testValues =
  '-t -k --testNamePattern --project -m --maxfail --tb --durations --grep -g --testTimeout --retries --shard'

const verbs =
  (name: string, allowed: string): Runner['task'] =>
  ([verb = '']) =>
    allowed.split(' ').includes(verb) ? { task: `${name} ${verb}`, taken: 1 } : null

/** The same with options before the verb. */
const afterFlags =
  (flags: RegExp, task: Runner['task']): Runner['task'] =>
  (words) => {
    const before = Math.max(
      0,
      words.findIndex((word) => !flags.test(word)),
    )
    const found = task(words.slice(before))
    return found === null ? null : { ...found, taken: found.taken + before }
  }

/** A tool that only checks, if it has to with a flag that says so. */
const checker = (task: string, must: RegExp | null = null): Runner => ({
  task: (words) =>
    must === null || words.some((word) => must.test(word)) ? { task, taken: 0 } : null,
  flags: set('-q --quiet -v --check --check-only --diff --color --no-color'),
  values: set(''),
})

const scripts =
  (name: string, direct: string): Runner['task'] =>
  (words) => {
    const isQuiet = (word: string) => word === '-s' || word === '--silent'
    const from = words.findIndex((word) => !isQuiet(word))
    const at = words.findIndex((word, index) => index > from && !isQuiet(word))
    const [verb = '', script = ''] = [words[from], words[at]]
    if (verb === 'run' && /^[\w:.-]+$/.test(script))
      return { task: `${name} ${script}`, taken: at + 1 }
    if (verb === 't') return { task: `${name} test`, taken: from + 1 }
    return direct.split(' ').includes(verb) ? { task: `${name} ${verb}`, taken: from + 1 } : null
  }

export const runners: Readonly<Record<string, Runner>> = {
  npm: {
    task: scripts('npm', 'test'),
    flags: set(`${testFlags} -- --if-present --workspaces`),
    values: set(`${testValues} -w --workspace --reporter`),
  },
  pnpm: {
    task: scripts('npm', 'test build lint typecheck check'),
    flags: set(`${testFlags} --`),
    values: set(testValues),
  },
  yarn: {
    task: scripts('npm', 'test build lint typecheck check'),
    flags: set(`${testFlags} --`),
    values: set(testValues),
  },
  make: {
    task: (words) => makeTarget(words),
    flags: set('-s -k -j -j2 -j4 -j8 -j16 -n --silent --keep-going --dry-run'),
    values: set(''),
  },
  cargo: {
    task: cargoTask,
    flags: set(
      '--all --workspace --release --lib --bins --tests --all-targets --all-features --no-default-features --quiet -q -v --verbose --locked --offline --no-run -- --nocapture --exact --ignored --no-fail-fast --no-deps --doc --keep-going --include-ignored',
    ),
    values: set(
      '-p --package --test --bin --features -j --example -D -W --test-threads --depth --format-version -i -e',
    ),
  },
  go: {
    task: ([verb = '', second = '']) =>
      verb === 'doc' || (verb === 'mod' && /^(?:graph|why|verify)$/.test(second))
        ? { task: 'go list', taken: verb === 'mod' ? 2 : 1 }
        : verbs('go', 'test build vet list')([verb]),
    flags: set('-v -short -race -cover -count=1 -failfast -x=false -json -m -deps -all -benchmem'),
    values: set('-run -count -timeout -bench -parallel -tags -p -f -skip -benchtime'),
  },
  pytest: {
    task: () => ({ task: 'pytest', taken: 0 }),
    flags: set(
      `${testFlags} -rA -ra -l --no-header --no-summary --sw --co --collect-only -vvv --tb=line --tb=native --strict-markers --cov --cov-report=term --cov-report=term-missing`,
    ),
    values: set(`${testValues} -n --deselect --ignore --cov`),
  },
  npx: {
    task: npxTool,
    flags: set(
      `${testFlags} run list --noEmit --check --list-different -l --pretty -b --max-warnings=0 --cache`,
    ),
    values: set(`${testValues} -p --project --reporter --max-warnings --ext`),
  },
  python: {
    task: ([flag, module]) =>
      flag === '-m' && module === 'pytest' ? { task: 'pytest', taken: 2 } : null,
    flags: set(testFlags),
    values: set(testValues),
  },
  python3: {
    task: ([flag, module]) =>
      flag === '-m' && module === 'pytest' ? { task: 'pytest', taken: 2 } : null,
    flags: set(testFlags),
    values: set(testValues),
  },
  ruff: {
    task: ([verb = '', flag = '']) =>
      verb === 'format' && /^--(?:check|diff)$/.test(flag)
        ? { task: 'ruff check', taken: 2 }
        : verbs('ruff', 'check')([verb]),
    flags: set('-q --quiet --no-cache --no-fix --statistics'),
    values: set('--select --ignore'),
  },
  black: checker('black', /^--(?:check|diff)$/),
  isort: checker('isort', /^--(?:check|check-only|diff)$/),
  flake8: checker('flake8'),
  pylint: checker('pylint'),
  pyright: checker('pyright'),
  rspec: checker('rspec'),
  rubocop: checker('rubocop'),
  phpunit: checker('phpunit'),
  rake: { task: verbs('rake', 'test spec'), flags: set('-q'), values: set('') },
  mix: {
    task: ([verb = '', flag]) =>
      verb === 'format' && flag === '--check-formatted'
        ? { task: 'mix test', taken: 2 }
        : verbs('mix', 'test compile')([verb]),
    flags: set('--trace --stale --failed --warnings-as-errors'),
    values: set('--only --exclude --seed'),
  },
  dotnet: {
    task: verbs('dotnet', 'build test'),
    flags: set('--no-restore --no-build --nologo'),
    values: set('--filter -c --configuration -v --verbosity'),
  },
  swift: { task: verbs('swift', 'build test'), flags: set('-v --quiet'), values: set('--filter') },
  cmake: {
    task: ([verb]) => (verb === '--build' ? { task: 'cmake --build', taken: 1 } : null),
    flags: set('--verbose -v'),
    values: set('-j --parallel --config'),
  },
  ctest: {
    task: () => ({ task: 'cmake --build', taken: 0 }),
    flags: set('--output-on-failure -V -N -Q'),
    values: set('--test-dir -R -E -j -L --timeout -C'),
  },
  bun: {
    task: scripts('npm', 'test'),
    flags: set(`${testFlags} --`),
    values: set(testValues),
  },
  mypy: {
    task: () => ({ task: 'mypy', taken: 0 }),
    flags: set('--strict --no-color-output --pretty'),
    values: set('-p -m'),
  },
  tox: { task: () => ({ task: 'tox', taken: 0 }), flags: set('-q -v'), values: set('-e') },
  mvn: {
    task: afterFlags(/^-(?:q|B|o|e|ntp)$/, verbs('mvn', 'test compile verify package')),
    flags: set('-q -B -o -e -ntp -am'),
    values: set('-pl -Dtest -Dit.test -T'),
  },
  gradle: {
    task: afterFlags(/^(?:-q|--info|--offline)$/, verbs('gradle', 'test build check compileJava')),
    flags: set('-q --info --offline --stacktrace --rerun-tasks --no-daemon'),
    values: set('--tests'),
  },
  just: {
    task: ([recipe = '']) =>
      /^[\w-]+$/.test(recipe) ? { task: `just ${recipe}`, taken: 1 } : null,
    flags: set('-q'),
    values: set(''),
  },
}

/** Tools that only check, and how they have to be called to do no more. */
const checkers: ReadonlyMap<string, RegExp | null> = new Map(
  Object.entries({
    tsc: /^--noEmit$/,
    vitest: /^(?:run|list)$/,
    jest: null,
    eslint: null,
    prettier: /^(?:--check|-c|--list-different|-l)$/,
  }),
)

function npxTool([tool = '', ...rest]: readonly string[]): { task: string; taken: number } | null {
  const must = checkers.get(tool)
  if (must === undefined) return null
  const isSaid =
    must === null ||
    must.test(rest[0] ?? '') ||
    (tool !== 'vitest' && rest.some((word) => must.test(word)))
  // `--noEmit false` does emit.
  const isTaken = rest.some((word, at) => word === 'false' && rest[at - 1] !== '--pretty')
  return isSaid && !isTaken ? { task: `npx ${tool}`, taken: 1 } : null
}

/** The first word that is no option. */
function makeTarget(words: readonly string[]): { task: string; taken: number } | null {
  const taken = words.findIndex(
    (word) => !/^-(?:s|k|n|j\d*|-silent|-keep-going|-dry-run)$/.test(word),
  )
  if (taken < 0) return { task: 'make all', taken: words.length }
  const target = words[taken] ?? ''
  return /^\w[\w.-]*$/.test(target) ? { task: `make ${target}`, taken: taken + 1 } : null
}

/** Packages and settings are told like what is checked; a format is only compared. */
function cargoTask([verb = '', ...rest]: readonly string[]): {
  task: string
  taken: number
} | null {
  if (verb === 'tree' || verb === 'metadata') return { task: 'cargo check', taken: 1 }
  if (verb !== 'fmt') return verbs('cargo', 'test check build clippy doc bench')([verb])
  const at = rest.indexOf('--check')
  const isKnown = at >= 0 && rest.slice(0, at).every((word) => word === '--' || word === '--all')
  return isKnown ? { task: 'cargo check', taken: at + 2 } : null
}
