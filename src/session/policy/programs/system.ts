import { spec, type Spec } from './spec.ts'

/** Programs that tell about files, processes and the machine. */
export const systemPrograms: Readonly<Record<string, Spec>> = {
  ls: spec({
    flags:
      '-l -a -A -h -t -r -S -1 -F -R -d -i -s -n -o -g -G -p -c -u -U -X -v -x -C -m -Q -N -b -q -k -L -H -Z -f --all --almost-all --human-readable --recursive --reverse --directory --inode --size --classify --color --color= --group-directories-first --full-time --si --numeric-uid-gid --no-group --time-style= --sort= --format= --indicator-style= --file-type --dereference --quote-name --literal --author --zero',
    values:
      '-I=text -w=number --ignore=text --hide=text --time=text --sort=text --time-style=text --color=text --format=text --block-size=text --width=number',
  }),
  tree: spec({
    flags:
      '-a -d -f -i -l -s -h -D -p -u -g -C -n -r -t -F -q -N -x -v -c -U -J -X --dirsfirst --filesfirst --noreport --gitignore --prune --du --si --inodes --device',
    values:
      '-L=number -I=text -P=text --filelimit=number --charset=text --timefmt=text --sort=text',
    isTame: false,
  }),
  stat: spec({
    flags: '-L -t -f -x --dereference --terse --file-system',
    values: '-c=text -f=text --format=text --printf=text',
  }),
  file: spec({
    flags:
      '-b -i -L -h -z -k --brief --mime --mime-type --mime-encoding --dereference --no-dereference',
    isTame: false,
  }),
  du: spec({
    hasFileList: true,
    flags:
      '-s -h -a -c -k -m -x -b -S -L -0 --summarize --human-readable --all --total --apparent-size --si --one-file-system --null',
    values:
      '-d=number --max-depth=number --exclude=text -t=text --threshold=text -B=text --block-size=text',
  }),
  df: spec({
    flags:
      '-h -H -T -i -a -k -l -P --human-readable --print-type --inodes --all --total --local --portability --si',
    values: '-t=text -x=text -B=text --type=text --output=text --block-size=text',
  }),
  realpath: spec({
    flags: '-e -m -L -P -s -z -q --canonicalize-existing --canonicalize-missing --no-symlinks',
    values: '--relative-to=text --relative-base=text',
  }),
  readlink: spec({ flags: '-f -e -m -n -z -q --canonicalize' }),
  pwd: spec({ flags: '-P -L', operands: 'none' }),
  true: spec({ operands: 'texts' }),
  false: spec({ operands: 'texts' }),
  ':': spec({ operands: 'texts' }),
  // An operand without a plus sets the clock.
  date: spec({
    flags:
      '-u -R -I -Iseconds -Iminutes -Ihours -Idate -Ins --utc --rfc-email --iso-8601 --iso-8601= --rfc-3339=',
    values: '-d=text --date=text -r=text --reference=text --rfc-3339=text --iso-8601=text',
    operands: 'format',
    isTame: false,
  }),
  cal: spec({ flags: '-3 -1 -y -m -s -j', operands: { most: 3 } }),
  whoami: spec({ operands: 'none' }),
  id: spec({ flags: '-u -g -G -n -r -un -gn', operands: { most: 1 } }),
  groups: spec({ operands: { most: 1 } }),
  users: spec({ operands: 'none' }),
  who: spec({ flags: '-a -b -H -q -u', operands: 'none' }),
  w: spec({ flags: '-h -s -f', operands: 'none' }),
  uname: spec({
    flags:
      '-a -s -n -r -v -m -p -i -o --all --kernel-name --kernel-release --machine --operating-system',
    operands: 'none',
  }),
  hostname: spec({ flags: '-s', operands: 'none', isTame: false }),
  arch: spec({ operands: 'none' }),
  nproc: spec({ flags: '--all', operands: 'none' }),
  uptime: spec({ flags: '-p -s --pretty --since', operands: 'none' }),
  free: spec({ flags: '-h -m -g -k -b -t -w --human --total --mega --giga', operands: 'none' }),
  // One letter that is none of its new options, and it takes all words for old ones: there `e` shows the environment.
  ps: spec({
    flags: '-a -A -e -f -F -l -j -w -H -T -L --no-headers --forest --headers --no-heading',
    values:
      '-o=columns -p=text -U=text -C=text -t=text --sort=text --format=columns --pid=text --ppid=text --user=text',
    operands: 'ps',
    isTame: false,
  }),
  pgrep: spec({
    flags: '-l -a -f -x -n -o -v -c -i',
    values: '-u=text -P=text -U=text -t=text',
    operands: { most: 1 },
  }),
  pidof: spec({ flags: '-s -x', operands: 'texts' }),
  pstree: spec({ flags: '-p -a -u -n -l -A -h -s', operands: { most: 1 } }),
  lsof: spec({
    flags: '-n -P -t -a -l',
    requires: '-n',
    values: '-i=port -p=word -u=word -c=word -s=word',
    operands: 'words',
    isTame: false,
  }),
  ss: spec({
    flags:
      '-t -u -l -n -p -a -s -x -e -m -o -4 -6 --tcp --udp --listening --numeric --processes --all --summary',
    operands: 'none',
    isTame: false,
  }),
  netstat: spec({
    requires: '-n',
    flags: '-t -u -l -n -p -a -r -s -e --tcp --udp --listening --numeric --programs',
    operands: 'none',
    isTame: false,
  }),
  lscpu: spec({ flags: '-e -p -J', operands: 'none' }),
  lsblk: spec({ flags: '-f -a -l -p -J -n -m', values: '-o=text', operands: 'none' }),
  lsmod: spec({ operands: 'none' }),
  vmstat: spec({ flags: '-s -a -w -d', operands: 'none' }),
  getconf: spec({ flags: '-a', operands: { most: 2 } }),
  locale: spec({ flags: '-a -m', operands: 'none' }),
  tty: spec({ flags: '-s', operands: 'none' }),
  which: spec({ flags: '-a', operands: 'texts' }),
  whereis: spec({ flags: '-b -m -s', operands: 'texts', isTame: false }),
  type: spec({ flags: '-a -t -p -P -f', operands: 'texts' }),
  jobs: spec({ flags: '-l -p -r -s', operands: 'none', isTame: false }),
  nm: spec({ flags: '-a -C -D -g -u -n -S', operands: 'words', isTame: false }),
  size: spec({ flags: '-A -B -t', operands: 'words', isTame: false }),
  gzip: spec({ flags: '-l -v -t --list --test --verbose', requires: '-l', isTame: false }),
  unzip: spec({ flags: '-l -v -Z -1', requires: '-l', isTame: false }),
  zipinfo: spec({ flags: '-1 -l -m', isTame: false }),
  dmesg: spec({ flags: '-T -k -x --ctime --nopager', operands: 'none', isTame: false }),
  journalctl: spec({
    flags: '--no-pager -b -k -e -r -x -q --user --reverse --utc --no-hostname --list-boots',
    values:
      '-n=number -u=text -p=text -o=text -t=text -g=text --lines=number --unit=text --since=text --until=text --priority=text --output=text --grep=text',
    operands: 'none',
    isTame: false,
  }),
  // Other flags of it run a program for each file, or `ls`.
  fd: names(),
  fdfind: names(),
  eza: spec({
    flags:
      '-l -a -A -1 -T -R -h -r -F -d -D -f -G --long --all --tree --git --header --icons --no-user',
    values: '-L=number -s=text -I=text --level=number --sort=text --ignore-glob=text --color=text',
    isTame: false,
  }),
  lsb_release: spec({ flags: '-a -d -r -c -s -i', operands: 'none' }),
  sw_vers: spec({ flags: '-productVersion -buildVersion -productName', operands: 'none' }),
  tokei: spec({ flags: '-f --files', values: '-e=text -t=text --sort=text', isTame: false }),
  readelf: spec({ flags: '-h -l -S -s -d -r -n -V -W -e', operands: 'words', isTame: false }),
  objdump: spec({ flags: '-d -f -h -p -t -T -r -C -x', operands: 'words', isTame: false }),
  gofmt: spec({ flags: '-l -d -e -s', isReader: true, isTame: false }),
}

/** A search for the names of files. */
function names(): Spec {
  return spec({
    flags:
      '-H -I -u -a -0 -i -s -g -F -p -1 -q -L --hidden --no-ignore --absolute-path --ignore-case --glob --full-path --follow',
    values:
      '-e=text -t=text -d=number -E=text -S=text --extension=text --type=text --max-depth=number --min-depth=number --exclude=text --size=text --changed-within=text --changed-before=text --max-results=number --color=text',
    // A pattern, then folders.
    operands: { text: [] },
    isTame: false,
  })
}
