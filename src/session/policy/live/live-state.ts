/** The state of a live shell as far as it decides what a command means. */
export interface LiveState {
  readonly shell: 'bash' | 'zsh'
  /** Without links. */
  readonly cwd: string
  /** The folders of PATH as they stand there, each with the one it is without links; null: none, or not absolute. */
  readonly path: readonly { readonly folder: string; readonly physical: string | null }[]
  /** The options that are on and change what words mean; others are left out. */
  readonly options: ReadonlySet<string>
  readonly aliases: ReadonlyMap<string, string>
  /** Aliases of zsh for a word in any place, and for a command by the end of its name. */
  readonly globalAliases: ReadonlyMap<string, string>
  readonly suffixAliases: ReadonlyMap<string, string>
  readonly functions: ReadonlySet<string>
  /** Functions that a bash started from here would have. */
  readonly exportedFunctions: ReadonlySet<string>
  /** The bodies of functions that were asked for. */
  readonly bodies: ReadonlyMap<string, string>
  /** Programs as the shell remembers where they are: it looks no further. */
  readonly hashes: ReadonlyMap<string, string>
  readonly builtins: ReadonlySet<string>
  readonly disabled: ReadonlySet<string>
  /** The traps as the shell prints them, and the signals that it names. */
  readonly traps: { readonly text: string; readonly names: ReadonlySet<string> }
  /** Functions that run without being asked for, by name; in bash all bodies are under one. */
  readonly hooks: ReadonlyMap<string, string>
  readonly variables: ReadonlyMap<string, WatchedVariable>
  /** Variables by small names that make something else of a value that they get: a sum, other letters. */
  readonly typed?: ReadonlySet<string>
  /** A hash of all that a program would find in its environment. */
  readonly environment?: string
  /** The names that were asked for; the first program that a search along PATH finds for each. */
  readonly asked: ReadonlySet<string>
  readonly found: ReadonlyMap<string, string>
}

export interface WatchedVariable {
  readonly isExported: boolean
  /** A hash, unless the value itself decides what a word means. */
  readonly value: string
}

/** Options of bash that change what words mean, or what a command does besides. */
const bashOptions = new Set(
  [
    'expand_aliases extglob globstar dotglob nullglob nocaseglob nocasematch failglob globskipdots globasciiranges',
    'cdable_vars autocd cdspell dirspell xpg_echo posix noclobber noexec noglob nounset keyword braceexpand physical',
    'errexit errtrace functrace allexport hashall checkhash extdebug sourcepath lastpipe privileged restricted_shell',
    'assoc_expand_once localvar_inherit compat31 compat32 compat40 compat41 compat42 compat43 compat44',
    'patsub_replacement execfail inherit_errexit interactive_comments',
    // Ours: the shell's own input or output is not the terminal.
    'redirected',
  ].flatMap((line) => line.split(' ')),
)

/** Options of zsh that do not; nearly all others do. */
const harmlessZsh =
  /^(hist|share|inc|append|bang|beep|list|auto(list|menu|param|remove|pushd|continue|resume)|complete|prompt|transient|zle|vi$|emacs|menu|pushd|notify|monitor|hup|check|bgnice|always|single|login|interactive$|shinstdin|recexact|rm|sun|global(rcs|export)|rcs|xtrace|verbose|promptsp|flowcontrol|mail|long)/

/** The names of options that count, in lower case and without underscores, as zsh takes them to be the same. */
export function meaningfulOptions(shell: 'bash' | 'zsh', on: readonly string[]): readonly string[] {
  if (shell === 'bash') return on.filter((name) => bashOptions.has(name))
  return on.filter((name) => !harmlessZsh.test(name))
}
