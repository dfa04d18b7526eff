// needs: zsh fish
import type { ShellName } from '../../../src/protocol/events/shell.ts'

/** Where each shell looks for its user's file, below the home. */
export const startFileOf: Readonly<Record<ShellName, string>> = {
  bash: '.bashrc',
  zsh: '.zshrc',
  fish: '.config/fish/config.fish',
}

/** What people put there. None of it prints into a command's output by itself. */
export const startFiles: Readonly<Record<ShellName, Readonly<Record<string, string>>>> = {
  bash: {
    'no start file': '',
    'a DEBUG trap': `trap 'last_command=$BASH_COMMAND' DEBUG`,
    'a PROMPT_COMMAND ending in ;': `hook() { count=$((count + 1)); }; PROMPT_COMMAND='hook;'`,
    'a PS1 rewriter': `PROMPT_COMMAND='PS1="[$?] \\u:\\w\\n\\[\\e[32m\\]$ \\[\\e[0m\\]"'`,
    'a preexec framework': `
precmd_list=() preexec_list=() at_prompt=
framework_before() {
  [[ -n $at_prompt && $BASH_COMMAND != framework_* ]] || return 0
  at_prompt=
  for each in "\${preexec_list[@]}"; do "$each" "$BASH_COMMAND"; done
}
framework_after() {
  local code=$?
  for each in "\${precmd_list[@]}"; do (exit $code); "$each"; done
  at_prompt=1
}
framework_install() { PROMPT_COMMAND=(framework_after "\${PROMPT_COMMAND[@]/framework_install/:}"); }
trap framework_before DEBUG
PROMPT_COMMAND=framework_install
note() { noted=$1; }; count() { counted=$?; }
preexec_list+=(note) precmd_list+=(count)`,
    'vi mode': 'set -o vi',
  },
  zsh: {
    'no start file': '',
    'user hooks that print': `
before() { print "about to run $1" }; after() { print "it was $?" }
preexec_functions+=(before); precmd_functions+=(after)`,
    'a list of hooks set anew': `
after() { seen=$? }; precmd_functions=(after); preexec_functions=(); zshaddhistory() { return 0 }`,
    'a PROMPT rewriter': `
precmd() { PROMPT="[$?] %~"$'\\n'"%F{green}%#%f "; RPROMPT='%*' }`,
    'vi mode with its own line hooks': `
bindkey -v; KEYTIMEOUT=1
zle-line-init() { zle -K viins; MODE=insert }; zle -N zle-line-init
zle-keymap-select() { zle reset-prompt }; zle -N zle-keymap-select`,
    'PROMPT_SUBST and strict options': `
setopt prompt_subst no_unset no_clobber ksh_arrays sh_word_split auto_cd extended_glob hist_verify
PROMPT='$(print -n "\${PWD}") \${?}> '`,
    'a theme that prints in precmd': `
precmd() { print -P "%F{blue}╭─ %~ %f"; print -n "\\e]0;title\\a" }
PROMPT='╰─ '; RPROMPT='%F{red}%?%f'; setopt transient_rprompt`,
  },
  fish: {
    'no start file': '',
    'event handlers that print': `
function before --on-event fish_preexec; echo about to run $argv; end
function after --on-event fish_postexec; echo it was $status; set -g seen $status; end
function asks --on-event fish_prompt; set -g asked 1; end`,
    'colours and a right prompt': `
function fish_prompt
    set -l code $status
    set_color --bold green; echo -n "[$code] "(prompt_pwd); echo; set_color normal; echo -n '> '
end
function fish_right_prompt; set_color red; date +%T; set_color normal; end`,
    'vi mode': 'fish_vi_key_bindings',
    'a slow prompt': `function fish_prompt; sleep 0.1; echo -n 'slow> '; end`,
    'a greeting and a title': `
function fish_greeting; echo hello there; end
function fish_title; echo "at work: $argv"; end`,
  },
}
