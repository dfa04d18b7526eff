import type { HolderStart } from '../../../protocol/holder/holder.ts'
import hooks from './bash.bash'
import loading from './bash-load.bash'
import state from './bash-state.bash'

const shellNames =
  'PROMPT_COMMAND PS0 PS4 BASH_ENV ENV CDPATH GLOBIGNORE EXECIGNORE NULLCMD READNULLCMD FPATH ZDOTDIR MAILPATH'
/** Folders in which programs look for their settings and their parts, and the files that they load. */
const places =
  'HOME XDG_CONFIG_HOME XDG_CONFIG_DIRS LOCPATH NLSPATH GCONV_PATH GLIBC_TUNABLES OPENSSL_CONF OPENSSL_ENGINES OPENSSL_MODULES TERMINFO TERMINFO_DIRS HOSTALIASES AWKPATH AWKLIBPATH CLASSPATH JAVA_HOME DEBUGINFOD_URLS SSLKEYLOGFILE MALLOC_TRACE'
const pagers = 'PAGER MANPAGER SYSTEMD_PAGER AWS_PAGER DPKG_PAGER EDITOR VISUAL BROWSER'
const interpreters =
  'NODE_OPTIONS NODE_PATH NODE_V8_COVERAGE NODE_COMPILE_CACHE NODE_REDIRECT_WARNINGS RUBYOPT RUBYLIB JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS JAVA_OPTS MAVEN_OPTS MAVEN_ARGS GRADLE_OPTS'
const tools =
  'TAR_OPTIONS MAKEFLAGS GNUMAKEFLAGS MAKEFILES VPATH GOFLAGS PYTEST_ADDOPTS RUSTC RUSTC_WRAPPER RUSTFLAGS CC CXX CPP LD AR SPEC_OPTS PS_FORMAT PS_PERSONALITY GZIP UNZIP UNZIPOPT ZIPINFO ZIPINFOOPT XZ_OPT XZ_DEFAULTS SHELLCHECK_OPTS _POSIX2_VERSION'

/** Variables that change what a word means to the shell, or what a program that only reads would run. */
export const watchedNames: readonly string[] =
  `${shellNames} ${places} ${pagers} ${interpreters} ${tools}`.split(' ')

/** The beginnings of more of them. */
export const watchedPrefixes: readonly string[] =
  'GO CGO_ RUSTUP_ BUNDLE_ GEM_ MIX_ DOTNET_ CMAKE_ CTEST_ UV_ POETRY_ PIP_ BUN_ YARN_ COREPACK_ VITEST JEST_ ESLINT_ MYPY RUFF_ PYLINT GIT_ LD_ DYLD_ PYTHON PERL5 SSH_ LESS GREP_ RIPGREP_ FIND_ CARGO_ NPM_CONFIG_ npm_config_ BASH_FUNC_'.split(
    ' ',
  )

/** Nobody's keys, and short: a line editor makes two system calls for each byte. The same in each shell. */
export const hiddenKeys = {
  load: '\x1b\x1e1',
  accept: '\x1b\x1e2',
  restore: '\x1b\x1e3',
  names: '\x1b\x1e7',
}

/** Not fish's, where every command of a model asks. */
export const stateKey = '\x1b\x1e8'

/** How a bash is started so that it speaks to the holder. */
export function bashIntegration(file: string): HolderStart['shell'] {
  return {
    file,
    args: ['--rcfile', '@START@', '-i'],
    startFile: `${hooks}\n${watching}\n${loading}`,
    keys: { ...hiddenKeys, fresh: '\x03', state: stateKey },
    joinsLines: true,
  }
}

const watching = state
  .replace('@WATCHED@', watchedNames.join(' '))
  .replace('@PREFIXES@', () => watchedPrefixes.map((prefix) => `"\${!${prefix}@}"`).join(' '))

/**
 * Several lines go in as one group, because bash would run the lines after one that was interrupted; a file has the same
 * effect, and is for what a group cannot hold: lines that change how the following ones are parsed.
 */
export function bashLines(lines: string): string | null {
  if (!/^\s*[^\s#]/m.test(lines)) return lines
  return /\b(alias|unalias|shopt|enable)\b/.test(lines) ? null : `{ ${lines}\n}`
}
