// needs: bc dc ed inotifywait less make man nano openssl perl ping python3 script sqlite3 ssh-keygen sudo tmux top vi whiptail
import type { Foreground } from '../../../src/server/terminal/probe/classify.ts'

type State = Foreground['state']

export interface ProbeCase {
  name: string
  /** Typed at an interactive bash, in a folder with the files of `prepare`. */
  command: string
  state: State
  /** The right state for an ordinary user, where the kernel hides what root may see. */
  asUser?: State
  /** Only one of them can run it so. */
  only?: 'root' | 'user'
}

const cases = (state: State, commands: Record<string, string>): ProbeCase[] =>
  Object.entries(commands).map(([name, command]) => ({ name, command, state }))

const python = (code: string) => `python3 -c '${code}'`
const node = (code: string) => `node -e '${code}'`
const asNobody = 'setpriv --reuid 65534 --regid 65534 --clear-groups'

/** Files the commands use, made in each case's own folder. */
export const prepare = [
  'touch a b; seq 5000 > long; mkfifo fifo',
  'printf "ask:\\n\\t@read x\\nbuild: o1 o2 o3 o4\\no%%:\\n\\t@while :; do :; done\\n" > Makefile',
  'git init -q repo; echo x > repo/f; git -C repo add f',
  'git -C repo -c user.name=a -c user.email=a@b commit -qm one; echo y >> repo/f',
  'ssh-keygen -q -t ed25519 -N secret -f locked',
].join('\n')

const waiting = cases('waiting', {
  cat: 'cat',
  'cat | wc': 'cat | wc -l',
  'a pipe of three': 'cat | sort | tail -1',
  'the terminal by name in a pipe': 'cat /dev/tty | sort',
  'the terminal after a pipe': 'echo hi | cat - /dev/tty',
  sort: 'sort',
  grep: 'grep x',
  wc: 'wc',
  tee: 'tee out',
  dd: 'dd of=out',
  awk: "awk '{ print $1 }'",
  sed: 'sed s/a/b/',
  head: 'head -1',
  tr: 'tr a b',
  xargs: 'xargs echo',
  base64: 'base64',
  read: 'read x',
  'read with a prompt': 'read -p "Name: " name',
  'read with a time limit': 'read -t 100 x',
  'read in a loop': 'while read line; do echo "$line"; done',
  'read in a function': 'ask() { read answer; }; ask',
  'read in a subshell': '(read x)',
  'read in a substitution': 'x=$(head -1)',
  'read after output': 'seq 100; read x',
  'read in a script': 'bash -c \'echo "Go on? [y/N]"; read answer\'',
  'read in dash': "dash -c 'read x'",
  'a menu': 'select x in a b; do break; done',
  'a nested shell without line editor': 'dash',
  'rm -i': 'rm -i a',
  'cp -i': 'cp -i a b',
  'mv -i': 'mv -i a b',
  'find -ok': 'find a -ok true {} \\;',
  dc: 'dc',
  ed: 'ed a',
  make: 'make ask',
  'git add -p': 'git -C repo add -p',
  'git clean -i': 'touch repo/new; git -C repo clean -i',
  'git asking for a name':
    "printf 'protocol=http\\nhost=h\\n\\n' | git -c credential.helper= credential fill",
  'ssh-keygen asking for a file': 'ssh-keygen -t ed25519',
  'perl reading a line': "perl -e '<STDIN>'",
  'perl debugger': 'PERL_RL=Stub perl -de 1',
  'timeout --foreground': 'timeout --foreground 100 cat',
  env: 'env A=1 nice cat',
  'python input()': python('input("Name: ")'),
  'python lines': python('import sys; [l for l in sys.stdin]'),
  'python select': python('import select; select.select([0], [], [])'),
  'python select with a limit': python('import select; select.select([0], [], [], 100)'),
  'python poll': python('import select as s; p = s.poll(); p.register(0, 1); p.poll()'),
  'python epoll': python('import select as s; p = s.epoll(); p.register(0, 1); p.poll()'),
  'python thread': python('import threading as t; t.Thread(target=input).start()'),
  'python in a child': python('import subprocess as s; s.run(["cat"])'),
  'a question through the terminal itself': `echo data | ${python('open("/dev/tty").readline()')}`,
  'node data': node('process.stdin.on("data", () => {})'),
  'node question': node(
    'require("readline").createInterface({ input: process.stdin }).question("ok?", () => {})',
  ),
  'node reading at once': node('require("fs").readFileSync(0)'),
  'node child': node('require("child_process").spawnSync("cat", { stdio: "inherit" })'),
})
waiting.push(
  { name: 'a reader while background jobs work', command: 'sleep 100 & cat', state: 'waiting' },
  {
    name: "another user's reader",
    command: `${asNobody} cat`,
    state: 'waiting',
    only: 'root',
  },
)

const secret = cases('secret', {
  'read -s': 'read -s x',
  'read -s with a prompt': 'read -s -p "Password: " x',
  'read -s with a time limit': 'read -s -t 100 x',
  'read -s after read': 'read x < /dev/null; read -s y',
  'read -s in a script': "bash -c 'read -s x'",
  'read -s in a substitution': 'x=$(read -s y)',
  getpass: python('import getpass; getpass.getpass()'),
  'getpass with a pipe in': `echo x | ${python('import getpass; getpass.getpass()')}`,
  'getpass with a pipe out': `${python('import getpass; getpass.getpass()')} | cat`,
  'getpass in a thread': python(
    'import threading as t, getpass; t.Thread(target=getpass.getpass).start()',
  ),
  'stty -echo and read': "sh -c 'stty -echo; read x'",
  'stty -echo and cat': 'stty -echo; cat',
  'stty -echo and node': `stty -echo; ${node('process.stdin.resume()')}`,
  'stty -echo and select': `stty -echo; ${python('import select; select.select([0], [], [])')}`,
  'perl with stty': 'perl -e \'system("stty -echo"); <STDIN>\'',
  'ssh-keygen for a new key': 'ssh-keygen -q -t ed25519 -f key',
  'ssh-keygen for a locked key': 'ssh-keygen -y -f locked',
  openssl: 'openssl genrsa -aes128 -out k.pem 2048',
  'git asking for a password':
    "printf 'protocol=http\\nhost=h\\nusername=u\\n\\n' | git -c credential.helper= credential fill",
  'sudo as another user': `${asNobody} sudo -k true`,
  'su as another user': `${asNobody} su root`,
  'su in a pipe': `${asNobody} su root -c true | cat`,
}).map((one): ProbeCase => ({
  ...one,
  // An ordinary user is another user already.
  ...(one.command.startsWith(asNobody) ? { only: 'root' as const } : {}),
}))
secret.push(
  { name: 'sudo', command: 'sudo -k true', state: 'secret', only: 'user' },
  { name: 'su', command: 'su root', state: 'secret', only: 'user' },
  { name: 'su in a script', command: "sh -c 'su root -c true'", state: 'secret', only: 'user' },
  { name: 'su in a pipe', command: 'su root -c true | cat', state: 'secret', only: 'user' },
  { name: 'passwd', command: 'passwd root', state: 'secret', only: 'root' },
)

const raw = cases('raw', {
  bc: 'bc -q',
  python: 'python3',
  node: 'node',
  'python console': python('import code; code.interact()'),
  bash: 'bash --norc',
  'bash in bash': "bash --norc -ic 'bash --norc'",
  sqlite3: 'sqlite3 x.db',
  'read -n': 'read -n 1 x',
  'read -s -n': 'read -s -n 1 x',
  'a raw question in node': node(
    'require("readline").createInterface({ input: process.stdin, output: process.stdout }).question("ok?", () => {})',
  ),
  less: 'less long',
  'less in a pipe': 'seq 5000 | less',
  more: 'more long',
  man: 'man -P less man',
  vi: 'vi a',
  nano: 'nano a',
  'git commit': 'cd repo && EDITOR=vi git -c user.name=a -c user.email=a@b commit -a',
  'git log': 'cd repo && LESS= git --paginate -c core.pager=less log',
  top: 'top',
  // Its server would outlive the test.
  tmux: 'tmux -L probe-$$ -f /dev/null new \\; set -g destroy-unattached on',
  script: 'script -q /dev/null',
  whiptail: 'whiptail --yesno ok 8 20',
  'python raw select': python('import tty, select; tty.setcbreak(0); select.select([0], [], [])'),
})

const running = cases('running', {
  sleep: 'sleep 100',
  'sleep in a script': "bash -c 'sleep 100; true'",
  'a question that is none': "printf 'Password: '; sleep 100",
  'a yes/no that is none': "printf 'Go on? [y/N] '; sleep 100",
  'sleep without echo': 'stty -echo; sleep 100',
  'sleep in raw mode': 'stty raw; sleep 100',
  wait: 'sleep 100 & wait',
  'wait in a script': "bash -c 'sleep 100 & wait'",
  'jobs behind': 'sleep 100 & sleep 100',
  'a stopped reader behind': 'cat & sleep 100',
  'a pipe of sleepers': 'sleep 100 | cat | wc',
  'a pipe to read': 'sleep 100 | while read x; do :; done',
  'a substitution': 'x=$(sleep 100)',
  'a fifo': 'cat fifo',
  'a lock': 'exec 9> a; flock 9; flock a true',
  timeout: 'timeout 100 sleep 99',
  'a busy loop': 'while :; do :; done',
  'a busy loop of programs': 'while :; do /bin/true; done',
  'a loop that prints': 'while :; do date; sleep 0.2; done',
  'a busy python': python('while True: pass'),
  yes: 'yes > /dev/null',
  dd: 'dd if=/dev/zero of=/dev/null',
  gzip: 'gzip -c /dev/zero > /dev/null',
  find: 'while :; do find /usr -name "*.x" > /dev/null; done',
  'find into head':
    'while :; do find / -xdev 2> /dev/null | head -20000 | tail -1 > /dev/null; done',
  'grep -r': 'while :; do grep -r nothing /usr/include > /dev/null; done',
  'make -j': 'make -j2 build',
  'xargs -P': 'seq 4 | xargs -P 4 -I{} sleep 100',
  'tail -f': 'tail -f long',
  'tail -f in a pipe': 'tail -f long | grep x',
  inotifywait: 'inotifywait -q -m .',
  vmstat: 'vmstat 1',
  watch: 'watch -n 1 date',
  'top -b': 'top -b -d 1 > /dev/null',
  'sqlite3 working':
    'sqlite3 x.db "with recursive c(n) as (select 1 union all select n + 1 from c) select max(n) from c"',
  'python http server': 'python3 -m http.server 0',
  'python accept': python('import socket as s; x = s.socket(); x.listen(); x.accept()'),
  'python select on a socket': python(
    'import socket as s, select; x = s.socket(); x.listen(); select.select([x], [], [])',
  ),
  'python sleep': python('import time; time.sleep(100)'),
  'python asyncio': python('import asyncio; asyncio.run(asyncio.sleep(100))'),
  'python lock': python('import threading as t; t.Event().wait()'),
  'python pool': python('import multiprocessing as m, time; m.Pool(4).map(time.sleep, [100] * 4)'),
  'python child': python('import subprocess as s; s.run(["sleep", "100"])'),
  'perl sleep': "perl -e 'sleep 100'",
  'perl select': "perl -e 'select(undef, undef, undef, 100)'",
  'node server': node('require("http").createServer().listen(0)'),
  'node server that looks at keys': node(
    'process.stdin.resume(); require("http").createServer().listen(0)',
  ),
  'node timers': node('setInterval(() => {}, 100)'),
  'node printing': node('setInterval(() => console.log(1), 300)'),
  'node busy': node('for (;;);'),
  'node child': node('require("child_process").spawn("sleep", ["100"], { stdio: "inherit" })'),
  'node like npm run': node(
    'require("child_process").spawn("sh", ["-c", "sleep 100; true"], { stdio: "inherit" })',
  ),
})
running.push(
  { name: 'ping', command: 'ping -i 2 127.0.0.1', state: 'running', asUser: 'unknown' },
  {
    name: "another user's server",
    command: `${asNobody} python3 -m http.server 0`,
    state: 'running',
    only: 'root',
  },
)

const others: ProbeCase[] = [
  {
    name: 'the network or the terminal, whichever comes first',
    command: python(
      'import socket as s, select; a, b = s.socketpair(); select.select([0, a], [], [])',
    ),
    state: 'unknown',
  },
  { name: 'a shell that ran the command already', command: 'true', state: 'prompt' },
]

export const allCases: readonly ProbeCase[] = [
  ...waiting,
  ...secret,
  ...raw,
  ...running,
  ...others,
].map((one) => ({ ...one, name: `${one.state}: ${one.name}` }))
