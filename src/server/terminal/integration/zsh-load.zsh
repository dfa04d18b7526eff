# The second half of Tandem's side of a zsh: how a command gets into its line editor and out of it again.

# The load key: the command from the file replaces the edit line, which zsh itself puts back afterwards.
__tandem_load() {
  __tandem_given=("${(@0)$(<$__tandem_folder/command)}")
  if [[ $CONTEXT != start ]]; then
    # In the middle of an unfinished command: first back to the start, with all of it put aside.
    __tandem_waiting=1
    zle .push-input
    return 0
  fi
  if [[ $__tandem_given[4] != "$__tandem_attempt" && $__tandem_state == idle ]]; then
    __tandem_aside=0
  else
    __tandem_oddly || return 0
  fi
  __tandem_waiting=
  if [[ -n $BUFFER ]]; then __tandem_aside=$#BUFFER __tandem_point=$CURSOR; zle .push-line; fi
  __tandem_attempt=$__tandem_given[4] __tandem_id=$__tandem_given[1] __tandem_text=$__tandem_given[3] __tandem_state=$__tandem_given[2] __tandem_odd=
  BUFFER=$__tandem_text CURSOR=$#BUFFER POSTDISPLAY=
  [[ $__tandem_text != *[\!^\#]* && $histchars == '!^#' ]] || __tandem_literally
  # What changes an option must be a widget of its own, pressed by ourselves.
  if [[ -n $__tandem_odd ]]; then
    zle -U $'\e\x1e5'
  elif [[ -t 1 && $PWD == "$__tandem_pwd" ]]; then
    # Spelled out, for a function that is called costs more than all it says.
    builtin print -rn -- $'\e]7133;'"$__tandem_nonce;I;$__tandem_id;$__tandem_aside;$__tandem_attempt;$__tandem_cwd"$'\a\e]7133;'"$__tandem_nonce;A"$'\a'
  else
    __tandem_loaded
  fi
  # Behind it: while the holder hears that and presses its next key, there is time for the rest.
  if [[ $__tandem_state == model ]]; then
    if [[ -z ${PAGER+x}${GIT_PAGER+x}${MANPAGER+x}${SYSTEMD_PAGER+x}${AWS_PAGER+x} ]]; then
      typeset -gx PAGER=cat GIT_PAGER=cat MANPAGER=cat SYSTEMD_PAGER=cat AWS_PAGER=cat
    else
      __tandem_keep
    fi
  fi
}

# With the mark of a redrawn prompt, which in bash comes by itself.
__tandem_loaded() {
  [[ $PWD == "$__tandem_pwd" ]] || __tandem_place
  __tandem_mark "I;$__tandem_id;$__tandem_aside;$__tandem_attempt;$__tandem_cwd" $'\e]7133;'"$__tandem_nonce;A"$'\a'
}

# It was taken back, or loaded before: then what stands in the line is ours.
__tandem_oddly() {
  # Each attempt is loaded once: the key may be read again when it has run.
  if [[ -z $__tandem_given[1] || $__tandem_given[4] == "$__tandem_attempt" ]]; then
    [[ -z $__tandem_waiting ]] || zle .get-line
    __tandem_waiting=
    __tandem_mark 'I;;0;;'
    return 1
  fi
  local -a given=("${(@)__tandem_given}")
  [[ $BUFFER != "$__tandem_text" ]] || BUFFER=
  __tandem_leave
  __tandem_given=("${(@)given}")
}

# The restore key: loaded too late to be run, so it must not stay in the line.
__tandem_restore() {
  [[ $__tandem_state != idle ]] || return 0
  if [[ $BUFFER == "$__tandem_text" ]]; then
    BUFFER=
    (( ! __tandem_aside )) || { zle .get-line; CURSOR=$__tandem_point }
  fi
  __tandem_leave
  [[ -z $__tandem_comments$__tandem_histchars ]] || zle -U $'\e\x1e6'
}

# For one injected command, if it matters to it: no history expansion, but comments.
__tandem_literally() {
  __tandem_odd=1
  [[ ${(t)histchars} != *readonly* ]] || return 0
  # Characters no command holds; an empty value would take comments away as well.
  __tandem_histchars=$histchars
  histchars=$'\0\0#'
}

# In the shell's own history only (__tandem_history), and no pager for the model: until here.
__tandem_leave() {
  [[ $__tandem_state != model ]] || __tandem_give_back
  # Nothing of a private one stays in our own variables.
  [[ $__tandem_state != private ]] || __tandem_text= __tandem_given=()
  __tandem_state=idle
}

# What the variables of pagers were, by name: unset, plain, exported or readonly, and the value.
__tandem_keep() {
  local name
  for name in $__tandem_pagers; do
    if (( ! ${(P)+name} )); then
      __tandem_kept+=(unset '')
    elif [[ ${(Pt)name} == *readonly* ]]; then
      __tandem_kept+=(readonly '')
      continue
    elif [[ ${(Pt)name} == *export* ]]; then
      __tandem_kept+=(exported "${(P)name}")
    else
      __tandem_kept+=(plain "${(P)name}")
    fi
    typeset -gx "$name=cat"
  done
}

__tandem_give_back() {
  local name
  integer at=1
  for name in $__tandem_pagers; do
    # What the command itself set, or made readonly, is its business.
    if [[ ${(P)name-} == cat && ${(Pt)name} != *readonly* ]]; then
      case ${__tandem_kept[at]-unset} in
        unset) unset $name ;;
        exported) typeset -gx "$name=$__tandem_kept[at+1]" ;;
        plain) typeset -g +x "$name=$__tandem_kept[at+1]" ;;
      esac
    fi
    (( at += 2 ))
  done
  __tandem_kept=()
}

# The names key: what this shell knows by name, for somebody who types a command elsewhere. By file, for
# a mark is bounded.
__tandem_names() {
  {
    builtin print -rN -- "$PATH" "${(@kv)aliases}" ''
    builtin print -rl -- ${(k)functions}
    builtin print -rN -- ''
    builtin print -rl -- ${(k)parameters}
    builtin print -rN -- ''
    builtin print -rl -- ${(k)builtins}
  } 2>/dev/null >|$__tandem_folder/names
  __tandem_mark N
}

__tandem_bind() {
  local map
  zle -N __tandem_load
  zle -N __tandem_comment
  zle -N __tandem_back
  zle -N __tandem_restore
  zle -N __tandem_names
  builtin unfunction __tandem_bind zsh-newuser-install 2>/dev/null
  # Programs of ours, before those of the same name. Now, for a start file may set the search path anew.
  [[ -z $__tandem_bin || ${(t)PATH} == *readonly* ]] || path=($__tandem_bin $path)
  unset __tandem_bin
  (( ! ${+functions[__tandem_see]} )) || zle -N __tandem_see
  for map in emacs viins vicmd; do
    bindkey -M $map '\e^^1' __tandem_load
    bindkey -M $map '\e^^2' .accept-line
    bindkey -M $map '\e^^3' __tandem_restore
    bindkey -M $map '\e^^4' .send-break
    bindkey -M $map '\e^^5' __tandem_comment
    bindkey -M $map '\e^^6' __tandem_back
    bindkey -M $map '\e^^7' __tandem_names
    (( ! ${+functions[__tandem_see]} )) || bindkey -M $map '\e^^8' __tandem_see
  done
}
