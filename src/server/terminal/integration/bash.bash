# Tandem's side of an interactive bash (>= 4.4): tells the holder where prompts, commands and their
# output begin and end, and takes commands from a file into the line editor. Forks nothing, but for a line
# that a person typed: before 5.3 bash has no other way to put its text into the mark of its start.
# Functions come before the user's own start file, so that no alias of theirs gets into their bodies.
# Each statement on the way of a command makes it wait for some microseconds: so there are few, with many
# assignments or conditions in one, no locals, and what seldom happens is in functions of its own: bash copies the
# whole body of a function that it calls.

__tandem_nonce='@NONCE@'
__tandem_folder='@FOLDER@' __tandem_bin='@BIN@'
# In prompts as \e and \a, never as the bytes: printing PS1 must not print a live mark.
__tandem_a="\\[\\e]7133;$__tandem_nonce;A\\a\\]"
__tandem_b="\\[\\e]7133;$__tandem_nonce;B;\$?;\$\$;\\!\\a\\]"
__tandem_c="\\e]7133;$__tandem_nonce;C;\${__tandem_tell@P}\\a"
# Expanded in that mark; empty while an injected command is in the line, for even to skip it would cost. The first part
# prints nothing: no hook is told what a person typed, so it counts as a command that may have changed the terminal.
__tandem_telling='${__tandem_nonce:__tandem_since=-1:0}$({ __tandem_told; } 2>/dev/null)'
__tandem_p="\\[\\e]7133;$__tandem_nonce;P\\a\\]"
# The redirection hides what `set -x` or a user's DEBUG trap would print about our own commands.
__tandem_first='{ __tandem_end; } >/dev/null 2>&1'
__tandem_last='{ __tandem_wrap; } >/dev/null 2>&1'
# Where the user has no hooks.
__tandem_only='{ __tandem_end; __tandem_wrap; } >/dev/null 2>&1'
__tandem_wrapped='' __tandem_hooks='' __tandem_id='' __tandem_state=idle __tandem_line='' __tandem_point=0
__tandem_new='' __tandem_attempt='' __tandem_unhooked='' __tandem_since='' __tandem_cwd='' __tandem_code=0 __tandem_pwd='' __tandem_expand='' __tandem_typed='' __tandem_given=() __tandem_kept=()
__tandem_tell=$__tandem_telling
__tandem_pagers=(PAGER GIT_PAGER MANPAGER SYSTEMD_PAGER AWS_PAGER)

# To the terminal itself, so that `exec >file` does not swallow it; opening it costs, so only if needed.
__tandem_mark() {
  if [[ -t 1 ]]; then
    builtin printf '\e]7133;%s;%s\a' "$__tandem_nonce" "$1"
  else
    builtin printf '\e]7133;%s;%s\a' "$__tandem_nonce" "$1" >/dev/tty
  fi
}

# First prompt hook: the output region is over.
__tandem_end() {
  __tandem_code=$?
  [[ ${PWD-} == "$__tandem_pwd" && -z ${_ble_attached-} ]] || __tandem_elsewhere
  # Its standard output is hidden. bash has its terminal open here; to open it anew would cost more.
  builtin printf '\e]7133;%s;D;%s;%s;%s;%s\a' \
    "$__tandem_nonce" "$__tandem_code" "$$" "$__tandem_id" "$__tandem_cwd" >&255 || __tandem_ended
  # Behind it: whoever waits for the end need not wait for this.
  [[ -z $__tandem_since || $__tandem_code${SECONDS-} == "0$__tandem_since" && $__tandem_text != *stty* ]] || __tandem_mend
  if [[ $__tandem_state == idle ]]; then
    __tandem_typed=1
  elif [[ $__tandem_state$__tandem_ignored$__tandem_expand:${#__tandem_kept[@]}:${PAGER-}${GIT_PAGER-}${MANPAGER-}${SYSTEMD_PAGER-}${AWS_PAGER-} \
    == model:0:catcatcatcatcat ]]; then
    builtin unset HISTIGNORE PAGER GIT_PAGER MANPAGER SYSTEMD_PAGER AWS_PAGER
    __tandem_state=idle __tandem_since='' __tandem_tell=$__tandem_telling
  else
    __tandem_leave read
  fi
  # Where hooks are one string, the user's part after ours must find the status; `set -e` must not.
  [[ $__tandem_joined == 0 || $- == *e* ]] || builtin return "${__tandem_code:-0}"
}

__tandem_ended() {
  __tandem_mark "D;$__tandem_code;$$;$__tandem_id;$__tandem_cwd"
}

# The settings that make a terminal unusable are set right; the person's own, keys and flow control, stay. A fork, so only
# after a command that may have changed them: it failed, lasted until the next second, names `stty`, or nobody knows it.
__tandem_mend() {
  __tandem_since=''
  command stty icanon echo echoe isig iexten icrnl opost onlcr noflsh </dev/tty || builtin return 0
}

# In another folder; or somebody attached ble.sh by hand: what it calls hooks with need not be the status of a command.
__tandem_elsewhere() {
  __tandem_place
  [[ -n ${_ble_attached-} ]] || builtin return 0
  __tandem_code=''
  __tandem_mark "H;bash;;$$;${SHLVL-}"
}

# What a person typed, for the mark of its start: the newest line of the history, after its number, which
# says whether it is this one, and its length. A mark is bounded, so of a long line it holds the beginning.
__tandem_told() {
  local line quoted
  line=$(HISTTIMEFORMAT='' builtin history 1)
  line=${line#*[0-9][* ] }
  builtin printf -v quoted %q "${line:0:2000}"
  builtin printf '%s;%s;q%s' "$HISTCMD" "${#line}" "$quoted"
}

# The folder's name as a mark can hold it.
__tandem_place() {
  __tandem_pwd=${PWD-} __tandem_cwd=${PWD-}
  if [[ $__tandem_cwd == *[![:print:]]* || $__tandem_cwd == *';'* ]]; then
    builtin printf -v __tandem_cwd 'q%q' "$__tandem_cwd"
  fi
}

# Last prompt hook: what the user's own hooks rewrote is wrapped again.
__tandem_wrap() {
  [[ ${PS0-}${PS1-}${PS2-} == "$__tandem_wrapped" && ${PROMPT_COMMAND[*]-} == "$__tandem_hooks" ]] ||
    __tandem_rewrap
}

# No plain assignments: where one of them is readonly, that would end it all.
__tandem_rewrap() {
  local text=${PS1-}
  text=${text//"$__tandem_a"/}
  builtin printf -v PS1 %s "$__tandem_a${text//"$__tandem_b"/}$__tandem_b"
  text=${PS0-}
  builtin printf -v PS0 %s "${text//"$__tandem_c"/}$__tandem_c"
  text=${PS2-}
  builtin printf -v PS2 %s "$__tandem_p${text//"$__tandem_p"/}"
  __tandem_order
  __tandem_wrapped=${PS0-}${PS1-}${PS2-} __tandem_hooks=${PROMPT_COMMAND[*]-}
  builtin return 0
}

# Ours first and last, whatever was put before or behind them since. Until the first prompt only last: what
# installs itself there looks for its own line in the first place.
__tandem_order() {
  local each bare other
  local -a rest=()
  # Not ours to write, perhaps though it was never set: an assignment would end it all.
  builtin printf -v PROMPT_COMMAND %s "${PROMPT_COMMAND-}" || builtin return 0
  if [[ $__tandem_joined == 1 ]]; then
    each=${PROMPT_COMMAND-}
    [[ $each == "$__tandem_first"$'\n'*"$__tandem_last" ]] && builtin return 0
    each=${each//"$__tandem_first"/:}
    each=${each//"$__tandem_only"/:}
    if [[ -n $__tandem_new ]]; then
      PROMPT_COMMAND=${each:+$each$'\n'}$__tandem_only
      builtin return 0
    fi
    # Joined with a newline: after a value that ends in `;` another one would be a syntax error.
    PROMPT_COMMAND=$__tandem_first$'\n'${each//"$__tandem_last"/:}$'\n'$__tandem_last
    builtin return 0
  fi
  for each in "${PROMPT_COMMAND[@]-}"; do
    bare=${each//"$__tandem_first"/:}
    bare=${bare//"$__tandem_last"/:}
    bare=${bare//"$__tandem_only"/:}
    [[ -n $bare && $bare != : ]] || builtin continue
    # A hook that did not find itself in the first place has put itself there again, around ours.
    if [[ $bare != "$each" ]]; then
      for other in "${PROMPT_COMMAND[@]}"; do
        [[ $other != "$bare" ]] || builtin continue 2
      done
    fi
    rest+=("$bare")
  done
  if [[ -n $__tandem_new ]]; then
    PROMPT_COMMAND=("${rest[@]}" "$__tandem_only")
  elif ((${#rest[@]})); then
    PROMPT_COMMAND=("$__tandem_first" "${rest[@]}" "$__tandem_last")
  else
    PROMPT_COMMAND=("$__tandem_only")
  fi
}
