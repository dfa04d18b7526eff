# Tandem's side of an interactive fish (>= 3.1): tells the holder where prompts, commands and their output
# begin and end, and takes commands from a file into the line editor. Forks nothing at a prompt, and leaves
# the user's prompt functions alone: events say all. Read after the user's own files (--init-command).

set -g __tandem_nonce '@NONCE@'
set -g __tandem_folder '@FOLDER@'
set -g __tandem_bin '@BIN@'
set -g __tandem_id ''
# idle, loaded (in the line), accepted, running
set -g __tandem_state idle
set -g __tandem_check 0
set -g __tandem_text ''
set -g __tandem_line ''
set -g __tandem_point 0
set -g __tandem_private 0
# Whether nothing of the command may stay in the history.
set -g __tandem_secret 0
set -g __tandem_count 0
set -g __tandem_before 0
set -g __tandem_kept
set -g __tandem_cwd ''
set -g __tandem_attempt ''
set -g __tandem_later
set -g __tandem_pagers PAGER GIT_PAGER MANPAGER SYSTEMD_PAGER AWS_PAGER

function __tandem_mark
    builtin printf '\e]7133;%s;%s\a' $__tandem_nonce $argv[1]
end

function __tandem_start --on-event fish_preexec
    set -g __tandem_before $status
    __tandem_public
    set -g __tandem_count $status_generation
    if builtin test $__tandem_state = accepted
        __tandem_mark C
    else
        __tandem_told $argv[1]
    end
    set -g __tandem_state running
end

# The start of what a person typed, with its text, unless fish's history leaves it out. A mark is bounded, so
# of a long line it holds the beginning.
function __tandem_told
    set -l text "$argv[1]"
    builtin string match -qr '^ +[^\s#]' -- $text; and set text ''
    set -l told (builtin string sub -l 2000 -- $text | builtin string collect)
    set told (builtin string escape --style=url -- "$told")
    __tandem_mark "C;;"(builtin string length -- $text)";u$told"
end

function __tandem_end --on-event fish_postexec
    set -l code $status
    # A comment is executed without a status of its own; the one before is not its.
    if builtin test $__tandem_count = $status_generation; and not __tandem_refuses $code "$argv[1]"
        __tandem_say_end 0
    else
        __tandem_say_end $code
    end
    for each in $__tandem_later
        __tandem_status $code
        $each $argv
    end
    return $code
end

# Whether a line that ran nothing failed: a pattern without a match, a file that is no program. fish counts no
# status for it, as for a comment; but it is another one than before, or one that fish itself gives.
function __tandem_refuses
    builtin test $argv[1] = $__tandem_before; or return 0
    builtin string match -qr '^12[1-6]$' -- $argv[1]; or return 1
    builtin string match -qvr '^\s*(#|set\b|$)' -- $argv[2]
end

# The line editor is about to read.
function __tandem_reads --on-event fish_prompt
    set -l code $status
    # An empty line is accepted without being executed.
    builtin test $__tandem_state = accepted; and __tandem_say_nothing 0
    # Somebody dropped our other hook.
    builtin test $__tandem_state = running; and __tandem_say_end $code
    __tandem_say_prompt $code
end

# Refused as a whole, with a message; the command stays in the line.
function __tandem_refused --on-event fish_posterror
    builtin test $__tandem_state = accepted; or return 0
    __tandem_say_end 127
    __tandem_say_prompt 127
end

function __tandem_cancelled --on-event fish_cancel
    builtin test $__tandem_state = accepted; or return 0
    __tandem_say_nothing 130
    __tandem_say_prompt 130
end

function __tandem_status
    return $argv[1]
end

function __tandem_say_end
    __tandem_where
    __tandem_leave
    __tandem_mark "D;$argv[1];$fish_pid;$__tandem_id;$__tandem_cwd"
end

# The folder's name as a mark can hold it.
function __tandem_where
    set -g __tandem_cwd $PWD
    builtin string match -qr '^[^[:cntrl:];]*$' -- "$__tandem_cwd"; or set -g __tandem_cwd u(builtin string escape --style=url -- $PWD)
end

# Nothing was executed, so all that was printed is the line itself. Unless there was nothing to execute, or only
# the beginning of something, it has no start either.
function __tandem_say_nothing
    if builtin test $__tandem_check = 2; or builtin string match -qvr '\S' -- "$__tandem_text"
        __tandem_mark C
    end
    __tandem_say_end $argv[1]
end

function __tandem_say_prompt
    __tandem_mark A
    __tandem_mark "B;$argv[1];$fish_pid"
end

# The load key: the command from the file replaces the edit line, which is kept.
function __tandem_load
    set -l given (builtin string split0 <$__tandem_folder/command)
    # It was taken back, or is there already: each attempt is loaded once, for the key may be read again when it has run.
    if builtin test -z "$given[1]"; or builtin test "$given[4]" = "$__tandem_attempt"
        __tandem_mark 'I;;0;;'
        return
    end
    set -l line (builtin commandline -b | builtin string collect)
    # Loaded before: what stands in the line is ours.
    builtin test $__tandem_state = loaded; and builtin test "$line" = "$__tandem_text"; and set line ''
    if builtin test -n "$line"
        set -g __tandem_line $line
        set -g __tandem_point (builtin commandline -C)
    end
    __tandem_leave
    set -g __tandem_attempt $given[4]
    set -g __tandem_id $given[1]
    set -g __tandem_text "$given[3]"
    __tandem_enter $given[2]
    builtin commandline -r -- $__tandem_text
    builtin commandline --is-valid
    set -g __tandem_check $status
    # Accepted, it would be given another line.
    builtin string match -qr '(^|[^\\\\])(\\\\\\\\)*\\\\$' -- $__tandem_text; and set -g __tandem_check 2
    # What fish refuses stays in its line until the restore key is pressed.
    set -l aside (builtin string length -- "$__tandem_line")
    builtin test $__tandem_check = 1; and set aside (builtin math $aside + 1)
    builtin test $given[2] = private; and set aside (builtin math $aside + 1)
    __tandem_where
    __tandem_mark "I;$__tandem_id;$aside;$given[4];$__tandem_cwd"
    __tandem_mark A
end

function __tandem_accept
    builtin test $__tandem_state = loaded; or return 0
    set -g __tandem_state accepted
    if builtin test $__tandem_check = 2
        # Nobody is there to complete it: fish would take the next command for its rest.
        __tandem_mark 'P;closed'
        builtin commandline -f cancel-commandline
    else
        builtin commandline -f execute
    end
end

# The restore key: the injected command is over, the person's half-typed line comes back.
function __tandem_restore
    set -l line (builtin commandline -b | builtin string collect)
    set -l typed (builtin commandline -C)
    # Refused, or loaded too late to be run: it must not stay in the line.
    if builtin test "$line" = "$__tandem_text"
        set line ''
        set typed 0
        builtin commandline -r ''
    end
    __tandem_leave
    if builtin test -n "$__tandem_line"
        # What was typed since stands where the cursor was.
        builtin commandline -r -- $__tandem_line
        builtin commandline -C $__tandem_point
        builtin commandline -i -- $line
        builtin commandline -C (builtin math $__tandem_point + $typed)
    end
    set -g __tandem_line ''
    set -g __tandem_text ''
end

# The names key: what this shell knows by name, for somebody who types a command elsewhere. By file, for a
# mark is bounded. An alias of fish's is a function.
function __tandem_names
    begin
        builtin printf '%s\0' (builtin string join : -- $PATH)
        for name in (abbr --list 2>/dev/null)
            builtin printf '%s\0\0' $name
        end
        builtin printf '\0'
        builtin functions --names
        builtin printf '\0'
        set --names
        builtin printf '\0'
        builtin --names
    end >$__tandem_folder/names
    __tandem_mark N
end

# For one injected command: no line in the history file, no pager for the model.
function __tandem_enter
    set -g __tandem_state loaded
    set -g __tandem_kept
    if not set -q fish_private_mode
        set -g fish_private_mode 1
        set -g __tandem_private 1
    end
    # What the person's own history holds already stays there.
    if builtin test $argv[1] = private; and not builtin history search -e -C -n 1 -- $__tandem_text | builtin string length -q
        set -g __tandem_secret 1
    end
    builtin test $argv[1] = model; or return 0
    for name in $__tandem_pagers
        if not set -qg $name
            set -a __tandem_kept "unset:$name:"
        else if set -qgx $name
            set -a __tandem_kept "exported:$name:$$name"
        else
            set -a __tandem_kept "plain:$name:$$name"
        end
        set -gx $name cat
    end
end

function __tandem_leave
    __tandem_public
    if builtin test $__tandem_secret = 1
        builtin history delete -e -C -- $__tandem_text
        set -g __tandem_secret 0
    end
    for each in $__tandem_kept
        set -l was (builtin string split -m 2 : -- $each)
        # What the command itself set is its business.
        set -l name $was[2]
        builtin test "$$name" = cat; or continue
        switch $was[1]
            case unset
                set -eg $name
            case exported
                set -gx $name $was[3]
            case plain
                set -gu $name $was[3]
        end
    end
    set -g __tandem_kept
    set -g __tandem_state idle
end

function __tandem_public
    builtin test $__tandem_private = 1; and set -eg fish_private_mode
    set -g __tandem_private 0
end

# What a user's own handler prints after a command is not the command's output: it is called after ours.
function __tandem_order
    set -l handlers (builtin functions --handlers)
    for each in (builtin string replace -rf '^fish_postexec ' '' -- $handlers)
        builtin test $each != __tandem_end; or continue
        # With a second event it stays as it is: a copy would lose that one.
        builtin test (count (builtin string match -r " $each\$" -- $handlers)) = 1; or continue
        builtin functions -c $each __tandem_copy
        builtin functions -e $each
        builtin functions -c __tandem_copy $each
        builtin functions -e __tandem_copy
        set -ga __tandem_later $each
    end
end

function __tandem_bind
    for mode in default insert visual replace replace_one
        builtin bind -M $mode \e\x1e1 __tandem_load
        builtin bind -M $mode \e\x1e2 __tandem_accept
        builtin bind -M $mode \e\x1e3 __tandem_restore
        builtin bind -M $mode \e\x1e7 __tandem_names
    end
end

# Programs of ours, before those of the same name.
builtin test -n "$__tandem_bin"; and set -gx PATH $__tandem_bin $PATH
set -eg __tandem_bin

__tandem_order
__tandem_bind
functions -e __tandem_order __tandem_bind
__tandem_mark "H;fish;$version;$fish_pid;$SHLVL"
