# The third part of Tandem's side of a bash: what a command would mean in it now, for whoever judges one.

# The state key's command. In a process of its own, so that nothing of the shell changes, and there the options may.
# A function of the name `builtin` would stand before all we say: only special built-ins, in POSIX mode, come before
# functions, and one of them tells whether there is such a function; then nothing is written, which tells as much.
# The same where traps would run in between, and print; or where what is printed goes nowhere, so that it cannot be
# asked where; to a file it may go, which is told as an option of our own. Not in a function yet, where traps are not to be seen. The
# last word is `$_` again.
__tandem_pulling='{ __tandem_word=$_ __tandem_pulled=$(__tandem_options=$SHELLOPTS:$BASHOPTS'
__tandem_pulling+=' __tandem_posix=${POSIXLY_CORRECT+set$POSIXLY_CORRECT} POSIXLY_CORRECT=y; [[ $- == *T* ]] || \export -f builtin ||'
__tandem_pulling+=' { builtin set +eux -f +o posix && { [[ -t 0 && -t 7 && -t 8 ]] || __tandem_options+=:redirected; } && builtin printf "traps\0001\0" && builtin trap -p && builtin trap - DEBUG ERR RETURN &&'
__tandem_pulling+=' builtin printf "\0" && __tandem_pull; } >|"$__tandem_folder/state") || [[ 1 ]]; __tandem_mark S "$__tandem_word"; } 7>&1 8>&2 >/dev/null 2>&1'

__tandem_watch() {
  local map
  for map in emacs vi-insert vi-command; do
    builtin bind -m "$map" -x "\"\\e\\C-^8\": $__tandem_pulling"
  done
  builtin unset __tandem_pulling
}

# Records of a kind, the number of its fields, and those, each ended by a NUL, which no value of bash can hold.
# What a built-in of bash prints is one field. The last record says that all is there.
__tandem_pull() {
  __tandem_shown=${IFS-$' \t\n'} IFS=$' \t\n'
  builtin mapfile -d '' -t __tandem_traps <"$__tandem_folder/state"
  # What is disabled is told, and then enabled: here only.
  __tandem_print disabled enable -n
  builtin enable alias cd compgen declare hash mapfile printf pwd set || builtin return
  builtin mapfile -d '' -t __tandem_asked <"$__tandem_folder/asked"
  __tandem_say id "${__tandem_asked[0]-}" bash
  __tandem_say options "$__tandem_options"
  __tandem_say path "${PATH-}"
  __tandem_print cwd pwd -P
  __tandem_say aliases "${!BASH_ALIASES[@]}" "${BASH_ALIASES[@]}"
  __tandem_print aliased compgen -a
  __tandem_say hashes "${!BASH_CMDS[@]}" "${BASH_CMDS[@]}"
  __tandem_print hashed hash -l
  __tandem_print functions compgen -A function
  __tandem_print exported declare -Fx
  __tandem_print environment declare -x
  __tandem_print builtins compgen -b
  __tandem_watched
  __tandem_typed
  __tandem_bodies
  __tandem_found
  __tandem_say end "${__tandem_asked[0]-}"
}

__tandem_say() {
  builtin printf '%s\0' "$1" $(($# - 1)) "${@:2}"
}

__tandem_print() {
  builtin printf '%s\0001\0' "$1"
  builtin "${@:2}"
  builtin printf '\0'
}

# Name, attributes and value of each variable that changes what a word means, or what a program runs.
__tandem_watched() {
  __tandem_fields=(IFS "${IFS@a}" "$__tandem_shown")
  [[ -z $__tandem_posix ]] || __tandem_fields+=(POSIXLY_CORRECT '' "${__tandem_posix#set}")
  __tandem_told=()
  for __tandem_each in $(builtin compgen -e); do
    case $__tandem_each in @SUFFIXES@) __tandem_told+=("$__tandem_each") ;; esac
  done
  for __tandem_each in @WATCHED@ "${__tandem_told[@]}" \
    @PREFIXES@; do
    __tandem_value=$__tandem_each[*]
    [[ -z ${!__tandem_value+set} ]] ||
      __tandem_fields+=("$__tandem_each" "${!__tandem_each@a}" "${!__tandem_value}")
  done
  __tandem_say variables "${__tandem_fields[@]}"
}

# Variables that make something else of what a loop gives them: a sum, in which a command may stand, other letters,
# the value of another variable.
__tandem_typed() {
  __tandem_fields=()
  builtin mapfile -t __tandem_told <<<"$(builtin declare -p)"
  for __tandem_each in "${__tandem_told[@]}"; do
    [[ ! $__tandem_each =~ ^declare\ -[A-Za-z]*[cilnu][A-Za-z]*\ ([a-z][A-Za-z0-9_]*) ]] ||
      __tandem_fields+=("${BASH_REMATCH[1]}")
  done
  __tandem_say typed "${__tandem_fields[@]}"
}

# Functions that hooks name: they are called without being asked for. And those that were asked for.
__tandem_bodies() {
  __tandem_fields=()
  __tandem_value="${PROMPT_COMMAND[*]-} ${PS0-} ${PS4-} ${__tandem_traps[2]-}"
  for __tandem_each in command_not_found_handle ${__tandem_value//[!A-Za-z0-9_:.+-]/ }; do
    [[ $__tandem_each == __tandem_* || " ${__tandem_fields[*]} " == *" $__tandem_each "* ]] ||
      ! builtin declare -F "$__tandem_each" >/dev/null || __tandem_fields+=("$__tandem_each")
  done
  __tandem_say hooks "${__tandem_fields[@]}"
  __tandem_print hooked declare -f -- "${__tandem_fields[@]}"
  for __tandem_each in "${__tandem_asked[@]:1}"; do
    builtin declare -F -- "$__tandem_each" >/dev/null || builtin continue
    builtin printf 'body\0002\0%s\0' "$__tandem_each"
    builtin declare -f -- "$__tandem_each"
    builtin printf '\0'
  done
}

# The first program of each name that was asked for, as a search along PATH finds it, whatever is remembered; and
# the folders of PATH without links, empty for one that is not there or depends on where the shell is.
__tandem_found() {
  IFS=: __tandem_value=${PATH-}:
  __tandem_dirs=($__tandem_value) __tandem_fields=()
  for __tandem_each in "${__tandem_asked[@]:1}"; do
    [[ $__tandem_each != */* ]] || builtin continue
    for __tandem_value in "${__tandem_dirs[@]}"; do
      __tandem_value=${__tandem_value:-.}/$__tandem_each
      [[ -f $__tandem_value && -x $__tandem_value ]] || builtin continue
      __tandem_fields+=("$__tandem_each" "$__tandem_value")
      builtin break
    done
  done
  __tandem_say asked "${__tandem_asked[@]:1}"
  __tandem_say found "${__tandem_fields[@]}"
  __tandem_fields=()
  for __tandem_each in "${__tandem_dirs[@]}"; do
    if [[ $__tandem_each == /* ]] && builtin cd -P -- "$__tandem_each"; then
      __tandem_fields+=("$PWD")
    else
      __tandem_fields+=('')
    fi
  done
  __tandem_say folders "${__tandem_fields[@]}"
}
