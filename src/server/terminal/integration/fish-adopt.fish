# For a fish that runs already, perhaps on another machine: no file of ours is there, so a command comes behind
# the load key, spelled in plain letters.
function __tandem_take
    set -l length (command head -c 8 </dev/tty | builtin string trim)
    builtin string match -qr '^\d+$' -- "$length"; or return
    set -l body (command head -c $length </dev/tty | builtin string replace -r ';$' '' | builtin string collect)
    set -l parts (builtin string split , -- $body)
    builtin printf '%s\0%s\0%b\0%s\0' $parts[1] $parts[2] "$parts[3]" $parts[4]
end
