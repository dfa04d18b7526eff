import type { AdoptableShell, AdoptRequest } from '../../../protocol/holder/holder.ts'
import type { ShellName } from '../../../protocol/events/shell.ts'
import bash from './bash.bash'
import bashLoad from './bash-load.bash'
import bashEnd from './bash-adopt.bash'
import { bashIntegration } from './bash.ts'
import fish from './fish.fish'
import fishTake from './fish-adopt.fish'
import { fishIntegration } from './fish.ts'
import zsh from './zsh.zsh'
import zshTake from './zsh-adopt.zsh'
import zshLoad from './zsh-load.zsh'
import { zshIntegration } from './zsh.ts'

/** The parts of a script between lines that say where they begin; those lines are left out. */
function cutScript(script: string, marks: readonly string[]): readonly string[] {
  const parts: string[] = []
  let rest = script
  for (const mark of marks) {
    const [before, after] = halves(rest, mark)
    parts.push(before)
    rest = after
  }
  return [...parts, rest]
}

function replaceOnce(script: string, text: string, next: string): string {
  return halves(script, text).join(next)
}

function halves(script: string, text: string): [string, string] {
  const at = script.indexOf(text)
  if (at < 0 || script.includes(text, at + 1))
    throw new Error(`a script of ours does not have exactly one "${text}"`)
  return [script.slice(0, at), script.slice(at + text.length)]
}

/** Without comments and indentation: it goes over a wire, letter by letter. */
function smaller(script: string): string {
  return script
    .split('\n')
    .map((line) => line.trimStart())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .join('\n')
}

/** For bash and zsh. */
function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** Any shell executes it, and says which one it is. The blank keeps it out of many histories. */
const asks = String.raw` command printf '\033]7133;%s;W;%s;%s;%s\007' @TOKEN@ "$BASH_VERSION" "$ZSH_VERSION" "$FISH_VERSION"`
/** Neither echoed nor cut off after 4,095 bytes: so it can be read whole, and is in no history. */
const unseen = String.raw` command stty -echo -icanon; command printf '\033]7133;%s;R\007' @TOKEN@; `
const seen = '; command stty echo icanon'

/** The folder is only for what we start ourselves; an empty one is never looked into. */
const unfiled = (script: string) =>
  smaller(script).replaceAll('@FOLDER@', '').replaceAll('@BIN@', '')

function adoptable(
  script: string,
  { since, reads, shell }: { since: string; reads: string } & { shell: ShellIntegration },
): AdoptableShell {
  const { keys, titlesCommands, alwaysBrackets } = shell
  return {
    since,
    reads,
    script: `${script}\n`,
    keys,
    ...(titlesCommands && { titlesCommands }),
    ...(alwaysBrackets && { alwaysBrackets }),
  }
}

type ShellIntegration = ReturnType<typeof bashIntegration>

const evaluated = `${unseen}eval "$(command head -c @BYTES@)"${seen}`

/** Line by line, so that none of the user's aliases gets into our functions. */
function bashScript(): AdoptableShell {
  const [functions] = cutScript(`${bash}\n${bashLoad}`, [
    '#@ what follows is for a bash that we start',
  ])
  const script = [
    String.raw`__tandem_aliases=$(\builtin shopt -p expand_aliases); \builtin shopt -u expand_aliases`,
    unfiled(`${functions}${bashEnd}`),
    'eval "$__tandem_aliases"; builtin unset __tandem_aliases',
  ].join('\n')
  return adoptable(script, { since: '4.4', reads: evaluated, shell: bashIntegration('bash') })
}

/** Read as a whole, so what must not see the user's aliases is a text within. */
function zshScript(): AdoptableShell {
  const [, own, , ours] = cutScript(zsh, [
    "#@ under the user's own options",
    '#@ what follows is for a zsh that we start',
    '#@ under ours',
  ])
  const load = replaceOnce(
    zshLoad,
    '__tandem_given=("${(@0)$(<$__tandem_folder/command)}")',
    '__tandem_take || return 0',
  )
  const options =
    '-o no_xtrace -o no_err_exit -o no_err_return -o no_warn_create_global -o no_aliases'
  const script = [
    "typeset -g __tandem_nonce='@NONCE@' __tandem_folder='' __tandem_bin=''",
    `emulate zsh ${options} -c ${singleQuoted(unfiled(`${ours}${load}${zshTake}`))}`,
    '__tandem_aliases=$options[aliases]; unsetopt aliases',
    `eval ${singleQuoted(unfiled(own ?? ''))}`,
    '[[ $__tandem_aliases == off ]] || setopt aliases',
    'command stty noflsh <$TTY >/dev/null 2>&1',
    'precmd_functions+=(__tandem_install)',
    '__tandem_aliases=$(command id -un 2>/dev/null)@$HOST',
    '__tandem_mark "H;zsh;$ZSH_VERSION;$$;$SHLVL;${__tandem_aliases//[^A-Za-z0-9@._-]/}"',
    'unset __tandem_aliases',
  ].join('\n')
  return adoptable(script, { since: '5.1', reads: evaluated, shell: zshIntegration('zsh', {}) })
}

function fishScript(): AdoptableShell {
  const taken = replaceOnce(
    fish,
    'builtin string split0 <$__tandem_folder/command',
    '__tandem_take | builtin string split0',
  )
  const placed = replaceOnce(
    taken,
    '"H;fish;$version;$fish_pid;$SHLVL"',
    "\"H;fish;$version;$fish_pid;$SHLVL;\"(builtin string replace -ra '[^A-Za-z0-9@._-]' '' -- (command id -un)@$hostname)",
  )
  const reads = `${unseen}command head -c @BYTES@ | source${seen}`
  const script = unfiled(`${fishTake}${placed}`)
  return adoptable(script, { since: '3.1', reads, shell: fishIntegration('fish') })
}

/** How the three shells are taught to speak to the holder when they run already. */
export const adoptables: Pick<AdoptRequest, 'asks' | 'shells'> = {
  asks,
  shells: { bash: bashScript(), zsh: zshScript(), fish: fishScript() },
}

/** As one command for a shell that cannot read a file of ours. */
export function evalLine(shell: ShellName, command: string): string {
  return `eval ${shell === 'fish' ? fishQuoted(command) : singleQuoted(command)}`
}

function fishQuoted(text: string): string {
  return `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`
}
