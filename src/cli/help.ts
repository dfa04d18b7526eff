/** Shown for `tandem --help`: examples first, and no line over 80 columns. */
export const helpText = `Tandem: one shell, two drivers. A terminal co-pilot that shares your shell.

Examples:
  tandem serve                          start here, then open the address
  tandem -p "why does the build fail?"  one turn, the answer on stdout
  git diff | tandem -p "review this"    piped input joins the prompt
  tandem run -- npm test                run in this folder's shared shell
  tandem -p "and now?" --continue       continue this folder's newest session
  tandem sessions ls                    list your sessions

Usage:
  tandem <command> [options]
  tandem -p <text> [options]

Commands:
  serve                    run the server in the foreground
    --port <n>             listen on this port; 0 means any free port
    --json                 print one line: {url, token, pid}
    --replace              replace the running server
    --model <model>        provider/name
    --shell <path>         use this shell in new sessions
  run [options] -- <cmd>   run in the shared shell and exit with its code
    --session <id>         use this session
    --private              never show it to the model
    --not-secret           send it though a program seems to ask for a password
  sessions ls              list sessions
  sessions show <id>       print a session as text
  sessions rename <id> <title>
  sessions rm <id>         delete a session and its shell
    -y, --yes              do not ask first
  sessions export <id>     print the whole session
    --format <format>      md, html, json, jsonl or cast
    -o, --output <file>    write to a file
  repo ls                  list the folders /shell can use, the default first
  repo add <folder>        add a folder
    --name <name>          call it this (default: the folder's name)
  repo rm <name>           remove a repo from the list; its files stay
  task ls                  list the tasks of the team
  task create <title>
  task assign <task> <name>
  task review|approve|done <task>
  team ls                  list the teams; "default" always exists
  team create <name>
    --team <team>          for repo and task: use this team
  trust [folder]           use the folder's own settings, skills and commands
    --revoke               stop trusting it
    --list                 list the trusted folders
  approval ls              list the rules that let commands run unasked here
    --session <id>         and those of this session
    --all                  of all folders
  approval rm <rule>       revoke a rule (--session: one of this session)
  answer <id> allow|deny   answer an open question, by its id or its session's
    --word <text>          with deny: tell the model this
    --scope <what>         with allow: once, or more: reply, session, folder,
                           shell (its settings are as I want them)
    --command <text>       with allow: run this instead
  explain <command>        say whether a model's command would ask here, and
                           why; nothing runs (exit 0: no, 3: yes)
    --jsonl                read {"command", "pre"?, "mode"?} a line on stdin
                           and print a verdict a line; what is in "pre" runs
                           first, in a copy of the folder
    --shell <path>         as in this shell
    --trust                as if the folder were trusted
  models ls                list the models, and check that they answer
  models add <name>        add openrouter, anthropic, … or any server; its key
                           is asked for, or read from stdin
    --url <address>        its address, up to /v1
    --model <model>        a model of it, where it does not list them
    --wire <protocol>      openai-chat, openai-responses, anthropic or gemini
    --force                keep it though the test call fails
  models test <name>       make a test call
  models rm <name>         forget a provider that was added, and its key
  cache [session]          show how much of each request was sent before
  stats                    count sessions, runs and programs in your own logs
                           (nothing is sent anywhere)
    --team <team>          count only sessions of this team
    --days <n>             count only the last n days
  audit                    list who proposed, answered and ran which command,
                           and why it could; secrets are left out
    --session <id>         only of this session
    --since <when>         30m, 2h, 7d ago or a date such as 2026-01-31
    --proposed, --asked, --answered, --ran, --denied, --skipped,
    --revoked              only these; more than one may be given
    --jsonl                print a JSON object a line
  web                      print a new one-time address for a browser
  browsers ls              list the browsers that are signed in
  browsers rm <id>         sign a browser out
  token rotate             replace the token; the old one stops working
  stop                     stop the server; shells keep running
    --shells               end the shells too
  sessions, repo, task, team, trust, approval, answer, explain, models, cache,
  stats, audit, web, stop and browsers ls accept --json.

Options of -p:
  -p, --prompt <text>      say this to the model
  --continue               continue the newest session of this folder
  --session <id>           use this session; the start of its id is enough
  --model <model>          provider/name
  --output-format <format> text, json, or stream-json (one event per line;
                           the last line is always the result)
  --timeout <time>         end the turn after 30s, 5m, 1h …
  --raw                    in a pipe, print control characters as they came
                           (default: escaped, as \\x1b)
  --not-secret             send it though a program seems to ask for a password

  -h, --help               print this text, or the help of a command
  -V, --version            print the version

Exit codes:
  0 ok   1 error   2 usage   3 approval needed or refused   4 limit reached
  5 key or configuration   124 timeout   130 interrupted
  tandem run exits with the command's own code.

Environment:
  TANDEM_HOME              the data folder
                           (default: $XDG_DATA_HOME/tandem)
  TANDEM_MODEL             provider/name, for new sessions
  GEMINI_API_KEY, ANTHROPIC_API_KEY, OPENAI_API_KEY
  TANDEM_BASE_URL          address of an OpenAI-compatible server, with /v1
`
