# The third part of Tandem's side of a zsh: what a command would mean in it now, for whoever judges one.

# Records of a kind, the number of its fields, and those, each ended by a NUL; a value may hold one, and so is
# spelled with backslashes. All is read from zsh's own tables, which nothing but `unset` takes away: then, and where
# a function stands before all built-ins, nothing is written, which tells as much.
__tandem_pull() {
  builtin setopt extended_glob no_hash_list_all
  local __tandem_each
  local -a __tandem_asked __tandem_records
  for __tandem_each in aliases builtins commands dis_builtins dis_reswords functions galiases parameters saliases widgets; do
    [[ ${(Pt)__tandem_each} == *special && -z ${functions[builtin]+set} ]] || { __tandem_mark S; return 0 }
  done
  __tandem_asked=("${(@0)$(<$__tandem_folder/asked)}")
  __tandem_say id "$__tandem_asked[1]" zsh
  shift __tandem_asked
  # In a widget the input is always another.
  [[ -t 1 && -t 2 ]] || __tandem_options+=' redirected on'
  __tandem_say options "$__tandem_options"
  __tandem_say disabled ${(k)dis_builtins} $dis_reswords
  __tandem_say path "$PATH"
  __tandem_print cwd pwd -P
  __tandem_print traps trap
  __tandem_say aliases "${(@k)aliases}" "${(@v)aliases}"
  __tandem_say everywhere "${(@k)galiases}" "${(@v)galiases}"
  __tandem_say suffixes "${(@k)saliases}" "${(@v)saliases}"
  __tandem_hashes
  __tandem_say functions "${(@k)functions}"
  __tandem_say builtins "${(@k)builtins}"
  __tandem_print environment export
  __tandem_watched
  __tandem_say typed ${(k)parameters[(R)(integer|float|*(lower|upper|nameref))*]}
  __tandem_bodies
  __tandem_found
  __tandem_say end "$__tandem_records[3]"
  builtin print -rN -- "${(@)__tandem_records}" >|$__tandem_folder/state
  __tandem_mark S
}

__tandem_say() {
  __tandem_records+=("$1" $(($# - 1)) "${(@)${(@)@[2,-1]//\\/\\\\}//$'\0'/\\0}")
}

# By the file, for a process of its own has no traps.
__tandem_print() {
  { builtin "${(@)@[2,-1]}"; builtin print -rn . } >|$__tandem_folder/state 2>/dev/null
  __tandem_say "$1" "${$(<$__tandem_folder/state)%.}"
}

# zsh remembers whole folders of PATH: told is what was asked for, and what no search along PATH would give.
__tandem_hashes() {
  local folders="(${(j:|:)${(@b)path}})/[^/]##" each place
  local -aU names
  for each in "${(@)__tandem_asked}"; do
    [[ -z ${commands[$each]+set} ]] || names+=("$each")
  done
  names+=("${(@k)commands[(R)^$~folders]}")
  for each place in "${(@kv)commands}"; do
    [[ $place == */$each ]] || names+=("$each")
  done
  local -a places
  for each in "${(@)names}"; do places+=("$commands[$each]"); done
  __tandem_say hashes "${(@)names}" "${(@)places}"
}

# Name, attributes and value of each variable that changes what a word means, or what a program runs.
__tandem_watched() {
  local -a fields
  local each
  local -a told
  for each in ${(k)parameters[(I)(@SUFFIXES@)]}; do
    [[ ${(Pt)each} != *export* ]] || told+=($each)
  done
  for each in ${(u)told} ${(k)parameters[(I)(IFS|POSIXLY_CORRECT|@WATCHED@)]}; do
    fields+=("$each" "${(Pt)each}" "${(Pj:\n:)each}")
  done
  __tandem_say variables "${(@)fields}"
}

# Functions that are called without being asked for, and those that were asked for.
__tandem_bodies() {
  local -a fields names
  local each
  for each in precmd preexec chpwd periodic zshaddhistory zshexit; do
    names+=($each ${(P)${:-${each}_functions}-})
  done
  names+=(command_not_found_handler ${(k)functions[(I)TRAP*]})
  for each in ${widgets[(I)zle-line-*]}; do names+=(${widgets[$each]#user:}); done
  for each in ${(u)names:#__tandem_*}; do
    (( ! ${+functions[$each]} )) || fields+=("$each" "$functions[$each]")
  done
  __tandem_say hooks "${(@)fields}"
  for each in "${(@)__tandem_asked}"; do
    [[ -z ${functions[$each]+set} ]] || __tandem_say body "$each" "$functions[$each]"
  done
}

# The first program of each name that was asked for, as a search along PATH finds it, whatever is remembered; and
# the folders of PATH without links, empty for one that is not there or depends on where the shell is.
__tandem_found() {
  local -a fields folders
  local each folder
  folders=("${(@s.:.)PATH}")
  for each in "${(@)__tandem_asked}"; do
    [[ $each != */* && -n $each ]] || continue
    for folder in "${(@)folders}"; do
      [[ -f ${folder:-.}/$each && -x ${folder:-.}/$each ]] || continue
      fields+=("$each" "${folder:-.}/$each")
      break
    done
  done
  __tandem_say asked "${(@)__tandem_asked}"
  __tandem_say found "${(@)fields}"
  fields=()
  for folder in "${(@)folders}"; do
    if [[ $folder == /* && -d $folder ]]; then fields+=("${folder:A}"); else fields+=(''); fi
  done
  __tandem_say folders "${(@)fields}"
}
