// needs: zsh fish direnv /usr/share/zsh-autosuggestions/zsh-autosuggestions.zsh /usr/share/zsh-syntax-highlighting/zsh-syntax-highlighting.zsh
import type { ShellName } from '../../../src/protocol/events/shell.ts'

export interface Setup {
  /** Whose pattern it is. */
  name: string
  shell: ShellName
  /** The start file: the pattern in our own words, or a Debian package's own files. */
  file: string
  /** `basic`: something is missing, and it says so. */
  integration?: 'basic'
  /** The shell does not tell how a command ended. */
  hasNoCode?: true
}

/** Installs itself at the first prompt, and looks for its own line in the first place only. */
const preexec = (more = '') => `${more}
bp_line=$'bp_was="$(trap -p DEBUG)"\\ntrap - DEBUG\\nbp_install'
bp_on='' bp_inside=''
bp_after() {
  local code=$? each
  for each in "\${precmd_functions[@]}"; do (exit "$code"); "$each"; done
}
bp_ready() { bp_on=1; }
bp_before() {
  [[ -z $bp_inside && -t 1 && -z \${COMP_LINE-} && -n $bp_on ]] || return 0
  local bp_inside=1 each line
  bp_on=''
  line=$(HISTTIMEFORMAT= builtin history 1 | sed '1 s/^ *[0-9][0-9]*[* ] //')
  [[ -n $line ]] || return 0
  for each in "\${preexec_functions[@]}"; do "$each" "$line"; done
}
bp_install() {
  [[ $PROMPT_COMMAND != *bp_after* ]] || return 1
  trap 'bp_before "$_"' DEBUG
  [[ -z $bp_strict ]] || { set -T; shopt -s extdebug; }
  local rest=\${PROMPT_COMMAND//"$bp_line"/}
  PROMPT_COMMAND=$'bp_after\\n'\${rest:+$rest$'\\n'}bp_ready
  bp_after
  bp_ready
}
PROMPT_COMMAND=\${PROMPT_COMMAND:+$PROMPT_COMMAND$'\\n'}$bp_line
noted() { printf '%s\\n' "$1" >>~/noted; }
preexec_functions=(noted) precmd_functions=()`

const bash: readonly Omit<Setup, 'shell'>[] = [
  { name: 'bash-preexec up to 0.5', file: preexec() },
  { name: 'bash-preexec in subshells', file: preexec('bp_strict=1') },
  {
    name: 'bash-it: a theme over bash-preexec',
    file: `${preexec()}
theme() { local code=$?; PS1="\\[\\e[33m\\]\\u \\[\\e[32m\\]$(printf '%s' "$code")\\[\\e[0m\\]\\n> "; }
precmd_functions+=(theme)`,
  },
  {
    name: 'bash-preexec since 0.6',
    file: `
six_on=''
six_after() { six_code=$?; }
six_ready() { six_on=1; }
six_before() {
  [[ -t 1 && -n $six_on && -z \${READLINE_LINE+x} ]] || return 0
  six_on=''
  local line
  line=$(HISTTIMEFORMAT= builtin history 1)
  printf '%s\\n' "\${line#*[0-9][* ] }" >>~/noted
}
six_install() {
  local each; local -a rest=()
  for each in "\${PROMPT_COMMAND[@]}"; do [[ $each == six_install ]] || rest+=("$each"); done
  PROMPT_COMMAND=(six_after "\${rest[@]}" six_ready)
  trap 'six_before "$_"' DEBUG
  six_ready
}
PROMPT_COMMAND+=(six_install)`,
  },
  {
    name: 'a hook that joins the first place whenever it does not find itself there',
    file: `
again() { case $PROMPT_COMMAND in *again*) ;; *) PROMPT_COMMAND="again; $PROMPT_COMMAND" ;; esac; }
PROMPT_COMMAND=again`,
  },
  {
    name: 'oh-my-bash: a theme and a list of hooks',
    file: `
theme() { PS1="\\W $(git rev-parse --abbrev-ref HEAD 2>/dev/null)> "; }
hooks=(theme)
run_hooks() { local code=$? each; for each in "\${hooks[@]}"; do (exit $code); $each; done; }
PROMPT_COMMAND="run_hooks;$PROMPT_COMMAND"; shopt -s histappend autocd; HISTCONTROL=erasedups:ignoreboth`,
  },
  {
    name: 'starship',
    file: `
ship_before() { local last=$_; [[ $ship_ready != 1 ]] || { ship_ready=0; ship_start=$SECONDS; }; : "$last"; }
ship_after() { local code=$?; ship_pipe=("\${PIPESTATUS[@]}"); PS1="[$code \${ship_pipe[*]}] > "; ship_ready=1; }
trap 'ship_before "$_"' DEBUG; PROMPT_COMMAND=ship_after; PS2='... '`,
  },
  {
    name: 'powerline',
    file: `
line_draw() { local code=$?; line_ps2=; PS1="\\[\\e[1m\\] $code \\[\\e[0m\\] "; return $code; }
PROMPT_COMMAND=$'line_draw\\n'"\${PROMPT_COMMAND-}"`,
  },
  {
    name: 'ble.sh, attached at the first prompt',
    file: `
BLE_VERSION=0.4; _ble_attached=
eats() { READLINE_LINE='' READLINE_POINT=0; }
takes_over() {
  [[ -n $_ble_base_attach_from_prompt ]] || return 0
  _ble_attached=1
  local map; for map in emacs vi-insert; do bind -m $map -x '"\\e": eats'; done; PS1='' PS0=''
}
_ble_base_attach_from_prompt=1
PROMPT_COMMAND+=(takes_over)`,
  },
  {
    name: 'ble.sh, attached as its manual says',
    file: `
BLE_VERSION=0.4
ble/term/leave() { :; }; ble/base/restore-BASH_REMATCH() { :; }; ble/base/restore-bash-options() { :; }
ble/base/restore-builtin-wrappers() { :; }; ble/base/restore-POSIXLY_CORRECT() { :; }
ble-attach() {
  [[ -z \${kitty_bash_inject-} ]] || { _ble_base_attach_from_prompt=1; return; }
  _ble_attached=1; stty -echo -icanon; exec 2>/dev/null
}
ble-detach/impl() { _ble_attached=; }
unset kitty_bash_inject
[[ ! \${BLE_VERSION-} ]] || ble-attach`,
  },
  {
    name: 'fzf',
    file: `
pick() { READLINE_LINE+=picked; READLINE_POINT=\${#READLINE_LINE}; }
bind -m emacs-standard -x '"\\C-t": pick'
bind -m emacs-standard '"\\er": redraw-current-line'
bind -m emacs-standard '"\\C-r": "\\C-e \\C-u\\C-y\\ey\\C-u\\er"'`,
  },
  { name: 'direnv', file: 'eval "$(direnv hook bash)"' },
  {
    name: 'nvm',
    file: `
nvm() { nvm_said=$1; return 0; }
nvm_cd() { builtin cd "$@" && nvm use; }; alias cd=nvm_cd
complete -F nvm nvm`,
  },
  { name: 'a readonly PS1', file: `readonly PS1='ro> '`, integration: 'basic' },
  { name: 'a readonly PS0', file: 'readonly PS0', integration: 'basic' },
  {
    name: 'a readonly PROMPT_COMMAND',
    file: 'readonly PROMPT_COMMAND=:',
    integration: 'basic',
  },
  {
    name: 'a readonly PS0 and PROMPT_COMMAND',
    file: `PS1='p> '; readonly PS0='' PROMPT_COMMAND=:`,
    integration: 'basic',
  },
  {
    name: 'a readonly PS0 and PROMPT_COMMAND that were never set',
    file: `PS1='p> '; readonly PS0 PROMPT_COMMAND`,
    integration: 'basic',
  },
  {
    name: 'all of them readonly',
    file: `readonly PS0='' PS1='ro> ' PS2='> ' PROMPT_COMMAND=:`,
    integration: 'basic',
    hasNoCode: true,
  },
]

const zsh: readonly Omit<Setup, 'shell'>[] = [
  {
    name: 'oh-my-zsh',
    file: `
autoload -Uz add-zsh-hook compinit; compinit -u -d ~/.zcompdump
title() { print -n "\\e]2;$1\\a" }; title_before() { title "$1" }; title_after() { title prompt }
add-zsh-hook preexec title_before; add-zsh-hook precmd title_after
zle-line-init() { echoti smkx }; zle-line-finish() { echoti rmkx }
(( ! $+terminfo[smkx] )) || { zle -N zle-line-init; zle -N zle-line-finish }
setopt prompt_subst multios share_history; git_part() { git rev-parse --abbrev-ref HEAD 2>/dev/null }
PROMPT='%(?:%F{green}:%F{red})➜ %c%f $(git_part) '`,
  },
  {
    name: 'powerlevel10k',
    file: `
setopt no_aliases prompt_subst prompt_percent; prompt_opts=(subst percent)
p_after() { local code=$?; PROMPT='%(?.ok.no) %~'$'\\n''%# '; RPROMPT="%F{cyan}\${code}%f" }
p_before() { p_start=$EPOCHREALTIME }
precmd_functions=(p_after $precmd_functions); preexec_functions=(p_before $preexec_functions)
p_finish() { PROMPT='%# ' RPROMPT=; zle .reset-prompt }
zle -N zle-line-finish p_finish
zmodload zsh/datetime; setopt aliases`,
  },
  {
    name: 'prezto',
    file: `
autoload -Uz promptinit add-zle-hook-widget; promptinit; prompt walters
bindkey -e; setopt extended_glob bang_hist hist_ignore_space
expand_dots() { if [[ $LBUFFER == *.. ]]; then LBUFFER+='/..'; else LBUFFER+='.'; fi }
zle -N expand_dots; bindkey . expand_dots
note_init() { inited=1 }; zle -N note_init; add-zle-hook-widget line-init note_init`,
  },
  {
    name: 'spaceship',
    file: `
setopt prompt_subst
space_after() { space_jobs=(); space_part=$(print -n "%~") }
space_before() { space_start=$SECONDS }
space_worker() { :; }
autoload -Uz add-zsh-hook; add-zsh-hook precmd space_after; add-zsh-hook preexec space_before
PROMPT='$(print -n "$space_part")'$'\\n''➜ '; RPROMPT='$(print -n right)'`,
  },
  {
    name: 'zsh-autosuggestions and zsh-syntax-highlighting',
    file: `
source /usr/share/zsh-autosuggestions/zsh-autosuggestions.zsh
source /usr/share/zsh-syntax-highlighting/zsh-syntax-highlighting.zsh`,
  },
  {
    name: 'fzf',
    file: `
pick() { LBUFFER+=picked; zle reset-prompt }; zle -N pick
bindkey -M emacs '^T' pick; bindkey -M vicmd '^T' pick; bindkey -M viins '^T' pick`,
  },
  { name: 'direnv', file: 'eval "$(direnv hook zsh)"' },
  {
    name: 'nvm',
    file: `nvm() { nvm_said=$1 }; use_nvm() { nvm use }; autoload -Uz add-zsh-hook; add-zsh-hook chpwd use_nvm`,
  },
]

const fish: readonly Omit<Setup, 'shell'>[] = [
  {
    name: 'tide',
    file: `
set -g tide_key tide_$fish_pid
function tide_drawn --on-variable $tide_key; commandline -f repaint; end
function fish_prompt
    set -l code $status
    set -q tide_again; or begin; set -g tide_again 1; sh -c : & disown 2>/dev/null; end
    set_color blue; echo -n (prompt_pwd); set_color normal; echo; echo -n "$code> "
end
function fish_right_prompt; echo -n right; end
function fish_mode_prompt; end`,
  },
  {
    name: 'fzf',
    file: `
function pick; commandline -it -- picked; commandline -f repaint; end
bind \\ct pick; bind -M insert \\ct pick`,
  },
  { name: 'direnv', file: 'direnv hook fish | source' },
]

export const setups: readonly Setup[] = [
  ...bash.map((each) => ({ shell: 'bash' as const, ...each })),
  ...zsh.map((each) => ({ shell: 'zsh' as const, ...each })),
  ...fish.map((each) => ({ shell: 'fish' as const, ...each })),
]
