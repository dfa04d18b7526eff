# Tandem's side of an interactive zsh (>= 5.1): tells the holder where prompts, commands and their output
# begin and end, and takes commands from a file into the line editor. Forks nothing at a prompt, and
# touches no prompt variable: the line editor itself says when it reads (zle-line-init).
# This is the .zshenv of a ZDOTDIR of ours. It gives the user's ZDOTDIR back before anything of theirs is
# read, so zsh finds their files as always; what must come after those is put off to the first prompt.
# On the way of a command a function call costs more than ten lines: only what seldom happens is in one.

if (( ! ${+__tandem_nonce} )); then
  typeset -g __tandem_nonce='@NONCE@' __tandem_folder='@FOLDER@' __tandem_bin='@BIN@'
  # Functions defined under `emulate -c` run under it whatever the user's options are, without traces.
  emulate zsh -o no_xtrace -o no_err_exit -o no_err_return -o no_warn_create_global -o no_aliases \
    -c 'builtin source "$__tandem_folder/.zshenv"'
  ZDOTDIR=@ZDOTDIR@
  [[ -n $ZDOTDIR ]] || unset ZDOTDIR

  #@ under the user's own options
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
    local comments=$__tandem_comments chars=$__tandem_histchars
    # First, for what fails below must not be tried again at each prompt.
    __tandem_comments='' __tandem_histchars=''
    if [[ $comments == off ]]; then unsetopt interactive_comments; fi
    if [[ -n $chars ]]; then histchars=$chars; fi
  }
  # Last before execution: output starts here. Nothing may follow its mark, for it would be traced.
  __tandem_start() {
    if [[ -n $__tandem_comments$__tandem_histchars ]]; then __tandem_back; fi
    if [[ -o prompt_sp ]]; then __tandem_no_sp; fi
    __tandem_ended='' __tandem_more='' __tandem_ran=1 __tandem_since=${${SECONDS-}%.*}
    if [[ ${3-} == *stty* ]]; then __tandem_since=-1; fi
    if [[ $__tandem_state == idle ]]; then
      if [[ -o hist_ignore_space && $1 == ' '* ]]; then __tandem_told ''; else __tandem_told "${1:-${3-}}"; fi
    elif [[ -t 1 ]]; then
      builtin print -rn -- $'\e]7133;'"$__tandem_nonce;C"$'\a'
    else
      builtin print -rn -- $'\e]7133;'"$__tandem_nonce;C"$'\a' >$TTY
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

  #@ what follows is for a zsh that we start
  if [[ -o interactive ]]; then
    # The state key, for the options that a command would run under are theirs.
    __tandem_see() {
      __tandem_options="${(j: :)${(kv)options[@]}}"
      __tandem_pull
    }
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

#@ under ours
typeset -g __tandem_id= __tandem_state=idle __tandem_text= __tandem_code=0 __tandem_sp= __tandem_comments=
typeset -g __tandem_ended= __tandem_more= __tandem_waiting= __tandem_ran= __tandem_inside= __tandem_histchars= __tandem_since=
typeset -g __tandem_options= __tandem_attempt= __tandem_pwd= __tandem_cwd= __tandem_ordered= __tandem_eol= __tandem_eol_for= __tandem_odd= __tandem_aside=0 __tandem_point=0
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

# In the list of this shell, never in the file; a private one in a list that zsh drops at once. Under our own
# options, for its answer is no failure that should end a shell with `err_exit`.
__tandem_history() {
  if [[ $__tandem_state == private ]]; then
    builtin fc -p
  elif [[ $__tandem_state != idle ]]; then
    return 2
  fi
}

# First prompt hook: the output region is over. Once a prompt, whoever comes first.
__tandem_end() {
  local code=$?
  if [[ -z $__tandem_ended ]]; then
    __tandem_code=$code __tandem_ended=1
    # Nothing of it ran: then zsh's status is still the one before.
    [[ $__tandem_state == idle || -n $__tandem_ran ]] || __tandem_code=1
    [[ -z $__tandem_more ]] || __tandem_code=130
    [[ $PWD == "$__tandem_pwd" ]] || __tandem_place
    [[ -z $__tandem_sp || "$COLUMNS:${PROMPT_EOL_MARK-%}" == $__tandem_eol_for ]] || __tandem_eol
    if [[ -t 1 ]]; then
      builtin print -rn -- $'\e]7133;'"$__tandem_nonce;D;$__tandem_code;$$;$__tandem_id;$__tandem_cwd"$'\a'"${__tandem_sp:+$__tandem_eol}"
    else
      __tandem_mark "D;$__tandem_code;$$;$__tandem_id;$__tandem_cwd" "${__tandem_sp:+$__tandem_eol}"
    fi
    # Behind it: whoever waits for the end need not wait for this.
    [[ -z $__tandem_since || "$__tandem_code${${SECONDS-}%.*}" == "0$__tandem_since" ]] || __tandem_mend
    if [[ "$__tandem_state:$#__tandem_kept:\
${PAGER-}${GIT_PAGER-}${MANPAGER-}${SYSTEMD_PAGER-}${AWS_PAGER-}" == model:0:catcatcatcatcat ]]; then
      unset PAGER GIT_PAGER MANPAGER SYSTEMD_PAGER AWS_PAGER
      __tandem_state=idle
    elif [[ $__tandem_state != idle ]]; then
      __tandem_leave
    fi
    __tandem_ran= __tandem_more= __tandem_since=
    [[ "${precmd_functions[*]-}:${preexec_functions[*]-}:${zshaddhistory_functions[*]-}:${functions[precmd]-}:\
${widgets[zle-line-init]-}" == "$__tandem_ordered" ]] || __tandem_order
  fi
  return $code
}

# The settings that make a terminal unusable are set right; the person's own, keys and flow control, stay. A fork, so only
# after a command that may have changed them: it failed, lasted until the next second, or names `stty`.
__tandem_mend() {
  command stty icanon echo echoe isig iexten icrnl opost onlcr noflsh <$TTY >/dev/null 2>&1
}

# The folder's name as a mark can hold it.
__tandem_place() {
  __tandem_pwd=$PWD __tandem_cwd=$PWD
  [[ $PWD != *[^[:print:]]* && $PWD != *\;* ]] || __tandem_cwd=q${(qqqq)PWD}
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

