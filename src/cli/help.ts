/** Shown for `tandem --help`: examples first, and no line over 80 columns. */
export const helpText = `Tandem: one shell, two drivers. A terminal co-pilot that shares your shell.

Examples:
  tandem serve                          start here, open the printed address
  tandem -p "why does the build fail?"  one turn, the answer on stdout
  git diff | tandem -p "review this"    what is piped in joins the prompt
  tandem run -- npm test                run in this folder's shared shell
  tandem -p "go on" --continue          go on in this folder's newest session
  tandem sessions ls                    what there is

Usage:
  tandem <command> [options]
  tandem -p <text> [options]

Commands:
  serve                    run the server in the foreground
    --port <n>             0 takes any free port
    --json                 print one line: {url, token, pid}
    --replace              take over from the server that runs now
    --model <model>        provider/name
    --shell <path>         the shell that sessions start
  run [options] -- <cmd>   run a command in the shared shell, exit as it does
    --session <id>         in this session
    --private              never shown to the model
  sessions ls              list sessions
  sessions show <id>       a session as text
  sessions rename <id> <title>
  sessions rm <id>         delete a session and its shell
    -y, --yes              without asking
  sessions export <id>     the whole session
    --format <format>      md, html, json, jsonl or cast
    -o, --output <file>    write to a file
  repo ls                  the folders that /shell works in, the default first
  repo add <folder>        register a folder
    --name <name>          default: the folder's own
  repo rm <name>           forget a repo; its files stay
  task ls                  the tasks of the team
  task create <title>
  task assign <task> <name>
  task review|approve|done <task>
  team ls                  the teams; default is always there
  team create <name>
    --team <team>          repo and task take it
  trust [folder]           let the files of a folder have a say
    --revoke               no longer
    --list                 which folders are trusted
  answer <id> allow|deny   answer the question of an ask or a session
    --word <text>          what to tell the model with a no
  models                   the models there are, and whether they answer
  cache [session]          what of each request the model had been sent before
  stats                    how Tandem was used here: sessions, runs, programs
                           (counted from your own logs; nothing is sent)
    --team <team>          only sessions of this team
    --days <n>             only the last so many days
  web                      print a new one-time address
  token rotate             replace the token; the old one stops working
  stop                     end the server; shells live on
    --shells               end the shells too
  sessions, repo, task, team, trust, answer, models, cache, stats, web and stop
  take --json.

Options of -p:
  -p, --prompt <text>      what to say to the model
  --continue               in the newest session of this folder
  --session <id>           in this session; the start of its id is enough
  --model <model>          provider/name
  --output-format <format> text, json, or stream-json (every event, a line
                           each; the last line is always the result)
  --timeout <time>         end the turn after 30s, 5m, 1h …

  -h, --help               this text; also after a command
  -V, --version            the version

Exit codes:
  0 ok   1 error   2 usage   3 approval needed or refused   4 limit reached
  5 key or configuration   124 timeout   130 interrupted
  tandem run exits with the command's own code.

Environment:
  TANDEM_HOME              where everything is kept
                           (default: $XDG_DATA_HOME/tandem)
  TANDEM_MODEL             provider/name, for every session
  GEMINI_API_KEY, ANTHROPIC_API_KEY, OPENAI_API_KEY
  TANDEM_BASE_URL          an OpenAI-compatible server, up to /v1
`
