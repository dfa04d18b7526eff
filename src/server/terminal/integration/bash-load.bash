# The second half of Tandem's side of a bash: how a command gets into its line editor and out of it again, and the start.

# The load key: the command, from the file that is its input, replaces the edit line, which is kept.
# For it alone: no history expansion, no line in the history file, no pager for the model.
__tandem_load() {
  builtin mapfile -d '' -t __tandem_given
  [[ $__tandem_state == idle && ${__tandem_given[3]-} != "$__tandem_attempt" && ${PWD-} == "$__tandem_pwd" ]] ||
    __tandem_oddly || builtin return 0
  # The line is empty, and nobody typed a command or took our hooks away since.
  [[ -z ${READLINE_LINE-}$__tandem_typed$__tandem_unhooked && ${PROMPT_COMMAND[*]-} == "$__tandem_hooks" ]] || __tandem_catch_up
  __tandem_id=${__tandem_given[0]-} __tandem_state=${__tandem_given[1]-} __tandem_text=${__tandem_given[2]-} \
    __tandem_attempt=${__tandem_given[3]-} READLINE_LINE=$__tandem_text READLINE_POINT=${#__tandem_text} \
    __tandem_tell='' __tandem_since=${SECONDS-} __tandem_ignored=${HISTIGNORE+set}
  # In the list now, for what runs before a command looks there for it. The variable not by an assignment, which
  # ends the whole function where it is readonly.
  { [[ $__tandem_state != private && -z $__tandem_ignored ]] &&
    builtin history -s -- "$__tandem_text" && builtin printf -v HISTIGNORE '*'; } || __tandem_ignore || builtin return 0
  # As early as it is certain: while the holder hears it and presses its next key, there is time for the rest.
  builtin printf '\e]7133;%s;I;%s;%s;%s;%s\a' "$__tandem_nonce" "$__tandem_id" "${#__tandem_line}$__tandem_unhooked" \
    "$__tandem_attempt" "$__tandem_cwd" >&255 || __tandem_loaded
  # Counted as saved, so that bash never writes it to the file.
  builtin history -a /dev/null
  [[ $__tandem_text != *[\!^]* && -z ${histchars-} || $- != *H* ]] || __tandem_literally
  if [[ $__tandem_state == model ]]; then
    [[ -z ${PAGER+x}${GIT_PAGER+x}${MANPAGER+x}${SYSTEMD_PAGER+x}${AWS_PAGER+x} ]] || __tandem_keep
    builtin export PAGER=cat GIT_PAGER=cat MANPAGER=cat SYSTEMD_PAGER=cat AWS_PAGER=cat
  fi
}

__tandem_loaded() {
  __tandem_mark "I;$__tandem_id;${#__tandem_line}$__tandem_unhooked;$__tandem_attempt;$__tandem_cwd"
}

# It was taken back (then there is no attempt), or an earlier one was loaded, or the shell is elsewhere by now.
# Each attempt is loaded once: the key may be read again when it has run.
__tandem_oddly() {
  local -a given=("${__tandem_given[@]}")
  if [[ ${__tandem_given[3]-} == "$__tandem_attempt" || -z ${__tandem_given[0]-} ]]; then
    __tandem_mark 'I;;0;;'
    builtin return 1
  fi
  [[ ${PWD-} == "$__tandem_pwd" ]] || __tandem_place
  [[ $__tandem_state == idle ]] || __tandem_unload
  __tandem_given=("${given[@]}")
}

# It was loaded, and its end was not heard. What still stands in the line is ours, and nobody's history.
__tandem_unload() {
  [[ ${READLINE_LINE-} != "$__tandem_text" ]] || READLINE_LINE='' READLINE_POINT=0 __tandem_text=''
  __tandem_leave
}

# A private one is in no list; and the user's own patterns count, if they may be changed. Else bash itself will put
# the line into its list: then a private one is not taken.
__tandem_ignore() {
  __tandem_patterns=${HISTIGNORE-}
  if builtin printf -v HISTIGNORE %s "$__tandem_patterns"; then
    [[ $__tandem_state == private ]] || builtin history -s -- "$__tandem_text"
    builtin printf -v HISTIGNORE '*'
    builtin return
  fi
  __tandem_ignored=readonly
  [[ $__tandem_state != private ]] || READLINE_LINE='' __tandem_text='' __tandem_given=() __tandem_state=idle
  [[ $__tandem_state != idle ]]
}

__tandem_catch_up() {
  [[ -z ${READLINE_LINE-} ]] || __tandem_line=$READLINE_LINE __tandem_point=${READLINE_POINT-0}
  [[ -n $__tandem_typed$__tandem_unhooked || ${PROMPT_COMMAND[*]-} != "$__tandem_hooks" ]] || builtin return 0
  __tandem_typed=''
  # What was typed goes to the file now: what is injected will be counted as saved.
  [[ -z ${HISTFILE-} ]] || builtin history -a
  __tandem_spare
  # The prompts themselves wait for the next one: bash still reads the old PS0, and to assign it would free that.
  [[ ${PROMPT_COMMAND[*]-} == "$__tandem_hooks" ]] || __tandem_order
}

__tandem_literally() {
  __tandem_expand=on
  builtin set +H
}

# The restore key: the injected command is over, the person's half-typed line comes back.
__tandem_restore() {
  # Loaded too late to be run: it must not stay in the line either.
  [[ $__tandem_state == idle ]] || __tandem_unload
  if [[ -n $__tandem_line ]]; then
    # What was typed since stands where the cursor was.
    READLINE_LINE=${__tandem_line:0:__tandem_point}${READLINE_LINE-}${__tandem_line:__tandem_point}
    READLINE_POINT=$((__tandem_point + ${READLINE_POINT-0}))
  fi
  __tandem_line='' __tandem_point=0
}

# The names key: what this shell knows by name, for somebody who types a command elsewhere. By file, for
# a mark is bounded; `>|`, for a person may have forbidden to overwrite files.
__tandem_names() {
  __tandem_list >|"$__tandem_folder/names"
  __tandem_mark N
}

__tandem_list() {
  local name
  builtin printf '%s\0' "${PATH-}"
  for name in "${!BASH_ALIASES[@]}"; do
    builtin printf '%s\0%s\0' "$name" "${BASH_ALIASES[$name]}"
  done
  builtin printf '\0'
  builtin compgen -A function
  builtin printf '\0'
  builtin compgen -v
  builtin printf '\0'
  builtin compgen -b
}

# For all that the first prompt hook does not see to itself.
__tandem_leave() {
  case $__tandem_ignored in
    set) builtin printf -v HISTIGNORE %s "$__tandem_patterns" ;;
    '') builtin unset HISTIGNORE ;;
  esac
  if [[ $__tandem_state == private || -z $__tandem_text ]]; then
    # Nothing of it stays, neither in the list nor in our own variables.
    __tandem_text='' __tandem_given=()
  elif [[ $__tandem_ignored == readonly ]]; then
    # bash itself put it into the list.
    builtin history -a /dev/null
  elif [[ -z ${1-} ]]; then
    __tandem_unlist
  fi
  if [[ $__tandem_state$__tandem_expand:${#__tandem_kept[@]}:${PAGER-}${GIT_PAGER-}${MANPAGER-}${SYSTEMD_PAGER-}${AWS_PAGER-} \
    == model:0:catcatcatcatcat ]]; then
    builtin unset PAGER GIT_PAGER MANPAGER SYSTEMD_PAGER AWS_PAGER
  else
    __tandem_give_back
  fi
  __tandem_state=idle __tandem_since='' __tandem_tell=$__tandem_telling
}

# It was loaded, and never read: nobody ran it.
__tandem_unlist() {
  local line number
  line=$(HISTTIMEFORMAT='' builtin history 1)
  builtin read -r number line <<<"$line"
  [[ $line != "$__tandem_text" ]] || builtin history -d "${number%\*}"
}

# `history -s` takes the place of the line that was read last, if that is in the list. With this it is the
# person's own that takes its own place, and the next one has none to take.
__tandem_spare() {
  local before after line
  before=$(HISTTIMEFORMAT='' builtin history 1)
  line=${before#*[0-9][* ] }
  [[ -n $line ]] || builtin return 0
  builtin history -s -- "$line"
  after=$(HISTTIMEFORMAT='' builtin history 1)
  [[ $after != "$before" ]] || builtin return 0
  builtin read -r after line <<<"$after"
  builtin history -d "${after%\*}"
}

# What the variables of pagers were, by name: unset, plain or exported, and the value.
__tandem_keep() {
  local name
  for name in "${__tandem_pagers[@]}"; do
    if [[ ! -v $name ]]; then
      __tandem_kept+=(unset '')
    elif [[ ${!name@a} == *x* ]]; then
      __tandem_kept+=(exported "${!name}")
    else
      __tandem_kept+=(plain "${!name}")
    fi
  done
}

__tandem_give_back() {
  local name at=0
  [[ -z $__tandem_expand ]] || builtin set -H
  __tandem_expand=''
  [[ $__tandem_state == model ]] || builtin return 0
  for name in "${__tandem_pagers[@]}"; do
    # What the command itself set is its business.
    if [[ ${!name-} == cat ]]; then
      case ${__tandem_kept[at]-unset} in
        unset) builtin unset "$name" ;;
        exported) builtin export "$name=${__tandem_kept[at + 1]}" ;;
        plain)
          builtin printf -v "$name" %s "${__tandem_kept[at + 1]}"
          builtin export -n "$name"
          ;;
      esac
    fi
    ((at += 2))
  done
  __tandem_kept=()
}

# A part of what we tell is missing where these are not ours to write, which the second word of ours says: of
# no version that tells all.
__tandem_lesser() {
  local name
  if [[ ${PS1-} != *"$__tandem_b"* ]]; then
    # The line editor itself shows these with each prompt.
    builtin bind 'set show-mode-in-prompt on'
    for name in emacs-mode-string vi-ins-mode-string vi-cmd-mode-string; do
      builtin bind "set $name \"\\1\\e]7133;$__tandem_nonce;A\\a\\e]7133;$__tandem_nonce;B;;$$\\a\\2\""
    done
  fi
  # No hook takes back what was for one command: the restore key does, which is pressed where this is no 0.
  [[ ${PROMPT_COMMAND[*]-} == *__tandem_end* ]] || __tandem_unhooked=1
  __tandem_mark "H;bash;;$$;${SHLVL-}"
}

# ble.sh is a line editor of its own: it knows none of our keys, draws prompts over and over, and runs hooks when
# it likes. So it is not attached here; one that a start file attached already is detached, as far as it goes.
__tandem_detach() {
  builtin unset kitty_bash_inject
  [[ -n ${BLE_VERSION-} ]] || builtin return 0
  if [[ -n ${_ble_attached-} ]]; then
    ble-detach/impl
    ble/term/leave
    ble/base/restore-BASH_REMATCH
    ble/base/restore-bash-options
    ble/base/restore-builtin-wrappers
    ble/base/restore-POSIXLY_CORRECT
    builtin eval -- "${_ble_bash_FUNCNEST_restore-}"
    command stty sane
    command stty noflsh
  fi </dev/tty >/dev/tty 2>/dev/null
  # It has put this aside, and prompts are written there.
  [[ -t 2 ]] || exec 2>/dev/tty
  # The attaching that waits for the first prompt looks at this.
  _ble_base_attach_from_prompt=''
}

__tandem_install() {
  local map
  # Programs of ours, before those of the same name. Now, for a start file may set the search path anew.
  [[ -z $__tandem_bin || ! -v PATH || ${PATH@a} == *r* ]] || PATH=$__tandem_bin:$PATH
  builtin unset __tandem_bin
  __tandem_joined=0
  ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 501)) || __tandem_joined=1
  # Without standard output, as where prompts are drawn: what a user's DEBUG trap prints of our keys is not seen,
  # and one that looks there does not take them for the next command.
  for map in emacs vi-insert vi-command; do
    builtin bind -m "$map" -x '"\e\C-^1": { __tandem_load; } >/dev/null 2>&1 <"$__tandem_folder/command"'
    builtin bind -m "$map" '"\e\C-^2": accept-line'
    builtin bind -m "$map" -x '"\e\C-^3": { __tandem_restore; } >/dev/null 2>&1'
    builtin bind -m "$map" -x '"\e\C-^7": { __tandem_names; } >/dev/null 2>&1'
  done
  __tandem_new=1
  __tandem_rewrap
  # So that the first prompt puts them in order.
  __tandem_new='' __tandem_attempt='' __tandem_hooks=''
  [[ ${PS0-} == *"$__tandem_c"* && ${PS1-} == *"$__tandem_b"* && ${PROMPT_COMMAND[*]-} == *__tandem_end* ]] ||
    __tandem_lesser
}

#@ what follows is for a bash that we start
# Else the terminal throws away unread output, and marks in it, at every Ctrl+C. The one fork of it all.
stty noflsh </dev/tty >/dev/null 2>&1

__tandem_mark "H;bash;${BASH_VERSION-};$$;${SHLVL-}"

# So ble.sh leaves its attaching for the first prompt, where we can stop it.
kitty_bash_inject=1
[[ -r ~/.bashrc ]] && . ~/.bashrc

__tandem_detach

# One word each, for the user's aliases are in force by now.
__tandem_install >/dev/null 2>&1
__tandem_watch >/dev/null 2>&1
