# Tandem's side of an interactive zsh (>= 5.1): tells the holder where prompts, commands and their output
# begin and end, and takes commands from a file into the line editor. Forks nothing at a prompt, and
# touches no prompt variable: the line editor itself says when it reads (zle-line-init).
# This is the .zshenv of a ZDOTDIR of ours. It gives the user's ZDOTDIR back before anything of theirs is
# read, so zsh finds their files as always; what must come after those is put off to the first prompt.
# On the way of a command a function call costs more than ten lines: only what seldom happens is in one.

if (( ! ${+__tandem_nonce} )); then
  typeset -g __tandem_nonce='@NONCE@' __tandem_folder='@FOLDER@'
  # Functions defined under `emulate -c` run under it whatever the user's options are, without traces.
  emulate zsh -o no_xtrace -o no_err_exit -o no_err_return -o no_warn_create_global -o no_aliases \
    -c 'builtin source "$__tandem_folder/.zshenv"'
  ZDOTDIR=@ZDOTDIR@
  [[ -n $ZDOTDIR ]] || unset ZDOTDIR

  # These change options, which must outlive them: so they run under the user's own.
  __tandem_comment() {
    if [[ ! -o interactive_comments ]]; then
      __tandem_comments=off
      setopt interactive_comments
    fi
    __tandem_loaded
  }
  # At execution the line is parsed, so what was only for its parsing ends.
  __tandem_back() {
    if [[ $__tandem_comments == off ]]; then unsetopt interactive_comments; fi
    if [[ -n $__tandem_histchars ]]; then histchars=$__tandem_histchars; fi
    __tandem_comments='' __tandem_histchars=''
  }
  # Last before execution: output starts here. Nothing may follow its mark, for it would be traced.
  __tandem_start() {
    if [[ -n $__tandem_comments$__tandem_histchars ]]; then __tandem_back; fi
    if [[ -o prompt_sp ]]; then __tandem_no_sp; fi
    __tandem_ended='' __tandem_more='' __tandem_ran=1
    if [[ $__tandem_state == idle ]]; then
      if [[ -o hist_ignore_space && $1 == ' '* ]]; then __tandem_told ''; else __tandem_told "${1:-${3-}}"; fi
    elif [[ -t 1 ]]; then
      builtin print -rn -- $'\e]7133;'"$__tandem_nonce;C"$'\a'
    else
      builtin print -rn -- $'\e]7133;'"$__tandem_nonce;C"$'\a' >$TTY
    fi
  }
  # In the list of this shell, never in the file; a private one in a list that zsh drops at once.
  __tandem_history() {
    if [[ $__tandem_state == private ]]; then
      builtin fc -p
    elif [[ $__tandem_state != idle ]]; then
      return 2
    fi
  }
  # zsh would print its mark for a missing newline before any hook, inside the output.
  __tandem_no_sp() {
    __tandem_sp=1
    unsetopt prompt_sp
  }
  __tandem_install() {
    precmd_functions=(${precmd_functions:#__tandem_install})
    if (( ${+functions[__tandem_bind]} )); then
      __tandem_bind
      __tandem_order
      if [[ -o prompt_sp ]]; then __tandem_no_sp; fi
    fi
  }

  if [[ -o interactive ]]; then
    # Else the terminal throws away unread output, and marks in it, at every Ctrl+C. The one fork of it all.
    stty noflsh <$TTY >/dev/null 2>&1
    __tandem_mark "H;zsh;$ZSH_VERSION;$$;$SHLVL"
    # Twice, for a start file may set the list of hooks anew.
    precmd_functions+=(__tandem_install)
    zmodload zsh/sched 2>/dev/null && sched +0 __tandem_install
    # Somebody without start files would be asked questions before the first prompt.
    zsh-newuser-install() { : }
  fi
  [[ -r ${ZDOTDIR:-$HOME}/.zshenv ]] && builtin source "${ZDOTDIR:-$HOME}/.zshenv"
  return 0
fi

typeset -g __tandem_id= __tandem_state=idle __tandem_text= __tandem_code=0 __tandem_sp= __tandem_comments=
typeset -g __tandem_ended= __tandem_more= __tandem_waiting= __tandem_ran= __tandem_inside= __tandem_histchars=
typeset -g __tandem_ordered= __tandem_eol= __tandem_eol_for= __tandem_odd=
typeset -ga __tandem_given=() __tandem_kept=() __tandem_pagers=(PAGER GIT_PAGER MANPAGER SYSTEMD_PAGER AWS_PAGER)

# To the terminal itself, so that `exec >file` does not swallow it; opening it costs, so only if needed.
__tandem_mark() {
  if [[ -t 1 ]]; then
    builtin print -rn -- $'\e]7133;'"$__tandem_nonce;$1"$'\a'"${2-}"
  else
    builtin print -rn -- $'\e]7133;'"$__tandem_nonce;$1"$'\a'"${2-}" >$TTY
  fi
}

# The start of what a person typed, with its text, unless their history is to leave it out. A mark is
# bounded, so of a long line it holds the beginning.
__tandem_told() {
  __tandem_mark "C;;${#1};q${(qqqq)1[1,2000]}"
}

# First prompt hook: the output region is over. Once a prompt, whoever comes first.
__tandem_end() {
  local code=$? cwd=$PWD
  if [[ -z $__tandem_ended ]]; then
    __tandem_code=$code __tandem_ended=1
    if [[ $__tandem_state != idle ]]; then
      # Nothing of it ran: then zsh's status is still the one before.
      [[ -n $__tandem_ran ]] || __tandem_code=1
      if [[ "$__tandem_state:$#__tandem_kept:\
${PAGER-}${GIT_PAGER-}${MANPAGER-}${SYSTEMD_PAGER-}${AWS_PAGER-}" == model:0:catcatcatcatcat ]]; then
        unset PAGER GIT_PAGER MANPAGER SYSTEMD_PAGER AWS_PAGER
        __tandem_state=idle
      else
        __tandem_leave
      fi
    fi
    [[ -z $__tandem_more ]] || __tandem_code=130
    [[ $cwd != *[^[:print:]]* && $cwd != *\;* ]] || cwd=q${(qqqq)cwd}
    [[ -z $__tandem_sp || "$COLUMNS:${PROMPT_EOL_MARK-%}" == $__tandem_eol_for ]] || __tandem_eol
    if [[ -t 1 ]]; then
      builtin print -rn -- $'\e]7133;'"$__tandem_nonce;D;$__tandem_code;$$;$__tandem_id;$cwd"$'\a'"${__tandem_sp:+$__tandem_eol}"
    else
      __tandem_mark "D;$__tandem_code;$$;$__tandem_id;$cwd" "${__tandem_sp:+$__tandem_eol}"
    fi
    __tandem_ran= __tandem_more=
    [[ "${precmd_functions[*]-}:${preexec_functions[*]-}:${zshaddhistory_functions[*]-}:${functions[precmd]-}:\
${widgets[zle-line-init]-}" == "$__tandem_ordered" ]] || __tandem_order
  fi
  return $code
}

# What PROMPT_SP does: a mark and blanks up to the margin, so that an unfinished line is not overwritten.
__tandem_eol() {
  local mark=${PROMPT_EOL_MARK-%B%S%#%s%b}
  local bare=${(%)${(S)mark//\%([BbSsUufk]|[FK]\{*\}|\{*\%\})/}}
  integer width=${(m)#bare}
  __tandem_eol_for="$COLUMNS:${PROMPT_EOL_MARK-%}"
  __tandem_eol="${(%)mark}${(l:COLUMNS - width:)}"$'\r'"${(l:width:)}"$'\r'
}

# The line editor reads: a command, or the rest of an unfinished one.
__tandem_reads() {
  local code=$?
  [[ -z $__tandem_inside ]] || return 0
  case $CONTEXT in
    start)
      # Somebody dropped our hook; it is put back for the next command.
      [[ -n $__tandem_ended ]] || { __tandem_end_late $code; __tandem_order }
      if [[ -t 1 ]]; then
        builtin print -rn -- $'\e]7133;'"$__tandem_nonce;A"$'\a\e]7133;'"$__tandem_nonce;B;$__tandem_code;$$"$'\a'
      else
        __tandem_mark A
        __tandem_mark "B;$__tandem_code;$$"
      fi
      __tandem_ended=
      # It was loaded, and never executed.
      [[ -z $__tandem_comments$__tandem_histchars || $__tandem_state != idle ]] || zle -U $'\e\x1e6'
      ;;
    cont)
      __tandem_more=1
      if [[ $__tandem_state == idle ]]; then
        __tandem_mark P
      else
        # Nobody is there to complete it, and it must not take the next command for its rest. A line
        # put aside comes back at any prompt, and is for the next one.
        [[ -z $BUFFER ]] || zle .push-line
        __tandem_mark 'P;closed'
        zle -U $'\e\x1e4'
      fi
      ;;
  esac
  if (( ${+widgets[__tandem_their_init]} )); then
    __tandem_inside=1
    zle __tandem_their_init -- "$@"
    __tandem_inside=
  fi
  [[ $CONTEXT != start || -z $__tandem_waiting ]] || zle __tandem_load
}

# When the prompt is drawn already, nothing may be printed for a missing newline.
__tandem_end_late() {
  local __tandem_sp=
  __tandem_status $1
  __tandem_end
}

__tandem_status() { return $1 }

# Ours first and last, whatever was put before or behind them since.
__tandem_order() {
  local body=${functions[precmd]-}
  precmd_functions=(__tandem_end ${precmd_functions:#__tandem_end})
  preexec_functions=(${preexec_functions:#__tandem_start} __tandem_start)
  zshaddhistory_functions=(__tandem_history ${zshaddhistory_functions:#__tandem_history})
  # A function of that name runs before all hooks, and what it prints is not the command's.
  [[ -z $body || $body == *__tandem_end* ]] || functions[precmd]=$'__tandem_end\n'$body
  if [[ ${widgets[zle-line-init]-} != user:__tandem_reads ]]; then
    (( ! ${+widgets[zle-line-init]} )) || zle -A zle-line-init __tandem_their_init
    zle -N zle-line-init __tandem_reads
  fi
  __tandem_ordered="${precmd_functions[*]-}:${preexec_functions[*]-}:${zshaddhistory_functions[*]-}:"
  __tandem_ordered+="${functions[precmd]-}:${widgets[zle-line-init]-}"
}

# The load key: the command from the file replaces the edit line, which zsh itself puts back afterwards.
__tandem_load() {
  __tandem_given=("${(@0)$(<$__tandem_folder/command)}")
  if [[ $CONTEXT != start ]]; then
    # In the middle of an unfinished command: first back to the start, with all of it put aside.
    __tandem_waiting=1
    zle .push-input
    return 0
  fi
  __tandem_waiting=
  [[ -z $BUFFER ]] || zle .push-line
  [[ $__tandem_state == idle ]] || __tandem_leave
  __tandem_id=$__tandem_given[1] __tandem_text=$__tandem_given[3] __tandem_state=$__tandem_given[2] __tandem_odd=
  BUFFER=$__tandem_text CURSOR=$#BUFFER POSTDISPLAY=
  [[ $__tandem_text != *[\!^\#]* && $histchars == '!^#' ]] || __tandem_literally
  if [[ $__tandem_state == model ]]; then
    [[ -z ${PAGER+x}${GIT_PAGER+x}${MANPAGER+x}${SYSTEMD_PAGER+x}${AWS_PAGER+x} ]] || __tandem_keep
    typeset -gx PAGER=cat GIT_PAGER=cat MANPAGER=cat SYSTEMD_PAGER=cat AWS_PAGER=cat
  fi
  # What changes an option must be a widget of its own, pressed by ourselves.
  if [[ -n $__tandem_odd ]]; then
    zle -U $'\e\x1e5'
  elif [[ -t 1 ]]; then
    builtin print -rn -- $'\e]7133;'"$__tandem_nonce;I;$__tandem_id;0"$'\a\e]7133;'"$__tandem_nonce;A"$'\a'
  else
    __tandem_loaded
  fi
}

# With the mark of a redrawn prompt, which in bash comes by itself.
__tandem_loaded() {
  __tandem_mark "I;$__tandem_id;0"
  __tandem_mark A
}

# The restore key: loaded too late to be run, so it must not stay in the line.
__tandem_restore() {
  [[ $__tandem_state != idle ]] || return 0
  [[ $BUFFER != "$__tandem_text" ]] || { BUFFER=; zle .get-line }
  __tandem_leave
  [[ -z $__tandem_comments$__tandem_histchars ]] || zle -U $'\e\x1e6'
}

# For one injected command, if it matters to it: no history expansion, but comments.
__tandem_literally() {
  __tandem_odd=1
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

# What the variables of pagers were, by name: unset, plain or exported, and the value.
__tandem_keep() {
  local name
  for name in $__tandem_pagers; do
    if (( ! ${(P)+name} )); then
      __tandem_kept+=(unset '')
    elif [[ ${(Pt)name} == *export* ]]; then
      __tandem_kept+=(exported "${(P)name}")
    else
      __tandem_kept+=(plain "${(P)name}")
    fi
  done
}

__tandem_give_back() {
  local name
  integer at=1
  for name in $__tandem_pagers; do
    # What the command itself set is its business.
    if [[ ${(P)name-} == cat ]]; then
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

__tandem_bind() {
  local map
  zle -N __tandem_load
  zle -N __tandem_comment
  zle -N __tandem_back
  zle -N __tandem_restore
  builtin unfunction __tandem_bind zsh-newuser-install 2>/dev/null
  for map in emacs viins vicmd; do
    bindkey -M $map '\e^^1' __tandem_load
    bindkey -M $map '\e^^2' .accept-line
    bindkey -M $map '\e^^3' __tandem_restore
    bindkey -M $map '\e^^4' .send-break
    bindkey -M $map '\e^^5' __tandem_comment
    bindkey -M $map '\e^^6' __tandem_back
  done
}
