# The end of the script for a bash that runs already, perhaps on another machine: no file of ours is there, so
# a command comes behind the load key, spelled in plain letters.
__tandem_take() {
  local attempt body name whose
  IFS= builtin read -rsd ';' -t 9 body </dev/tty || builtin return 0
  body=${body:8}
  name=${body%%,*} body=${body#*,}
  whose=${body%%,*} body=${body#*,}
  attempt=${body##*,}
  builtin printf -v body %b "${body%,*}"
  __tandem_load < <(builtin printf '%s\0' "$name" "$whose" "$body" "$attempt")
}

# What was typed to get here is nobody's history.
__tandem_tidy() {
  local line number
  line=$(HISTTIMEFORMAT='' builtin history 1)
  while [[ $line == *']7133;'* ]]; do
    builtin read -r number line <<<"$line"
    builtin history -d "${number%\*}" || builtin return 0
    line=$(HISTTIMEFORMAT='' builtin history 1)
  done
}

__tandem_settle() {
  local map
  command stty noflsh </dev/tty
  __tandem_tidy
  __tandem_install
  for map in emacs vi-insert vi-command; do
    builtin bind -m "$map" -x '"\e\C-^1": { __tandem_take; } >/dev/null 2>&1'
  done
  builtin unset -f __tandem_tidy __tandem_install
}

__tandem_settle >/dev/null 2>&1
__tandem_at=$(command id -un 2>/dev/null)@${HOSTNAME-}
__tandem_mark "H;bash;${BASH_VERSION-};$$;${SHLVL-};${__tandem_at//[^A-Za-z0-9@._-]/}"
builtin unset __tandem_at
builtin unset -f __tandem_settle
