# For a zsh that runs already, perhaps on another machine: no file of ours is there, so a command comes behind
# the load key, spelled in plain letters.
__tandem_take() {
  # It was read, and put off.
  [[ -z $__tandem_waiting ]] || return 0
  local body
  IFS= builtin read -rsd ';' -t 9 body </dev/tty || return 1
  __tandem_given=("${(@s:,:)body[9,-1]}")
  builtin printf -v body %b "${__tandem_given[3]-}"
  __tandem_given[3]=$body
}
