import { spec, type Spec } from './spec.ts'

/** Programs that print files, or what they get, in another shape. */
export const textPrograms: Readonly<Record<string, Spec>> = {
  cat: spec({
    flags:
      '-A -b -e -E -n -s -t -T -u -v --number --number-nonblank --show-all --show-ends --show-tabs --squeeze-blank --show-nonprinting',
    isReader: true,
  }),
  tac: spec({
    flags: '-b -r --before --regex',
    values: '-s=text --separator=text',
    isReader: true,
  }),
  nl: spec({
    flags: '-p',
    values: '-b=text -w=number -s=text -n=text -v=number -i=number',
    isReader: true,
  }),
  head: spec({
    flags: '-q -v -z --quiet --silent --verbose',
    values: '-n=number -c=number --lines=number --bytes=number',
    hasCount: true,
    isReader: true,
  }),
  // Following a file never ends, and takes the terminal; so does `+5f`.
  tail: spec({
    flags: '-q -v -z --quiet --silent --verbose',
    values: '-n=number -c=number --lines=number --bytes=number',
    hasCount: true,
    hasPlus: true,
    isReader: true,
  }),
  wc: spec({
    hasFileList: true,
    isFilter: true,
    flags: '-l -w -c -m -L --lines --words --bytes --chars --max-line-length',
  }),
  cut: spec({
    flags: '-s -z --only-delimited --complement',
    values:
      '-d=text -f=text -c=text -b=text --delimiter=text --fields=text --characters=text --bytes=text --output-delimiter=text',
    isReader: true,
  }),
  paste: spec({ flags: '-s -z --serial', values: '-d=text --delimiters=text', isReader: true }),
  tr: spec({
    isFilter: true,
    flags: '-d -s -c -C -t --delete --squeeze-repeats --complement --truncate-set1',
    operands: { most: 2 },
  }),
  sort: spec({
    flags:
      '-n -r -u -f -b -h -V -g -M -R -d -i -s -c -C -z --numeric-sort --reverse --unique --ignore-case --human-numeric-sort --version-sort --stable --check --zero-terminated',
    values: '-k=text -t=text --key=text --field-separator=text',
    isTame: false,
    isReader: true,
  }),
  // A second operand is a file that is written.
  uniq: spec({
    flags: '-c -d -u -i -z -D --count --repeated --unique --ignore-case',
    values:
      '-f=number -s=number -w=number --skip-fields=number --skip-chars=number --check-chars=number',
    operands: { files: 1 },
    isTame: false,
    isReader: true,
  }),
  comm: spec({
    flags: '-1 -2 -3 -12 -13 -23 -z --total --check-order --nocheck-order',
    values: '--output-delimiter=text',
    isReader: true,
  }),
  join: spec({
    flags: '-i -z --header',
    values: '-1=number -2=number -t=text -j=number -a=number -v=number -o=text -e=text',
    isReader: true,
  }),
  diff: spec({
    flags:
      '-u -c -r -q -s -w -b -B -i -N -y -a -E -Z --unified --brief --recursive --side-by-side --ignore-all-space --ignore-blank-lines --ignore-case --new-file --text --color --color= --suppress-common-lines --no-dereference --minimal --strip-trailing-cr --report-identical-files',
    values:
      '-U=number -C=number -x=text -W=number --exclude=text --label=text -L=text --unified=number --width=number',
    isReader: true,
    // Without an option it compares what is in two folders, too.
    deep: 'always',
  }),
  cmp: spec({
    flags: '-s -l -b --silent --verbose --print-bytes',
    values: '-n=number -i=number',
    operands: { both: 2 },
    isReader: true,
  }),
  column: spec({
    flags: '-t -x -e -n --table',
    values:
      '-s=text -o=text -c=number -N=text --separator=text --output-separator=text --columns=number',
    isReader: true,
  }),
  fold: spec({
    flags: '-s -b --spaces --bytes',
    values: '-w=number --width=number',
    hasCount: true,
    isReader: true,
  }),
  fmt: spec({
    flags: '-s -u -c',
    values: '-w=number --width=number',
    hasCount: true,
    isReader: true,
  }),
  expand: spec({ flags: '-i', values: '-t=number', isReader: true }),
  unexpand: spec({ flags: '-a', values: '-t=number', isReader: true }),
  rev: spec({ isReader: true }),
  strings: spec({
    flags: '-a -f',
    values: '-n=number -t=text -e=text',
    operands: 'words',
    hasCount: true,
    isReader: true,
  }),
  od: spec({
    flags: '-c -x -b -d -o -v -a',
    values: '-A=text -t=text -N=number -j=number -w=number',
    isReader: true,
  }),
  hexdump: spec({
    flags: '-C -c -x -b -v -d',
    values: '-n=number -s=number -e=text',
    isReader: true,
  }),
  base64: spec({
    flags: '-d -i --decode --ignore-garbage',
    values: '-w=number --wrap=number',
    isReader: true,
  }),
  base32: spec({ flags: '-d --decode', values: '-w=number', isReader: true }),
  md5sum: spec({ isFilter: true, flags: '-b -t -z --tag' }),
  sha1sum: spec({ isFilter: true, flags: '-b -t -z --tag' }),
  sha224sum: spec({ isFilter: true, flags: '-b -t -z --tag' }),
  sha256sum: spec({ isFilter: true, flags: '-b -t -z --tag' }),
  sha384sum: spec({ isFilter: true, flags: '-b -t -z --tag' }),
  sha512sum: spec({ isFilter: true, flags: '-b -t -z --tag' }),
  b2sum: spec({ isFilter: true, flags: '-b -t -z --tag' }),
  cksum: spec({ isFilter: true }),
  shasum: spec({ isFilter: true, flags: '-b -t', values: '-a=number --algorithm=number' }),
  gunzip: spec({ flags: '-c -q -k', requires: '-c', isReader: true, isTame: false }),
  bzcat: spec({ flags: '-q', isReader: true, isTame: false }),
  xzcat: spec({ flags: '-q', isReader: true, isTame: false }),
  zstdcat: spec({ flags: '-q', isReader: true, isTame: false }),
  shellcheck: spec({
    flags: '-x --external-sources',
    values: '-s=text -e=text -f=text -S=text -i=text --shell=text --exclude=text --severity=text',
    isReader: true,
    isTame: false,
  }),
  zcat: spec({ flags: '-f -q', isReader: true }),
  numfmt: spec({
    values: '--to=text --from=text --field=text --suffix=text --format=text --padding=number',
    isReader: true,
  }),
  shuf: spec({ flags: '-e -z', values: '-n=number -i=text', isReader: true, isTame: false }),
  xxd: spec({
    flags: '-p -b -u',
    values: '-l=number -s=number -c=number -g=number',
    operands: { files: 1 },
    isReader: true,
    isTame: false,
  }),
  expr: spec({ operands: 'texts', isLenient: true }),
  zgrep: spec({
    flags: '-i -n -c -l -v -E -F -w -x -o -h -H -q',
    values: '-A=number -B=number -C=number -m=number -e=text',
    operands: { text: ['-e'] },
    isReader: true,
    isTame: false,
  }),
  seq: spec({
    flags: '-w --equal-width',
    values: '-s=text -f=text --separator=text',
    operands: { numbers: 3 },
  }),
  basename: spec({
    flags: '-a -z --multiple --zero',
    values: '-s=text --suffix=text',
    operands: 'texts',
  }),
  dirname: spec({ flags: '-z --zero', operands: 'texts' }),
  grep: search(),
  egrep: search(),
  fgrep: search(),
  rg: spec({
    flags:
      '-i -S -s -n -N -l -c -o -v -w -x -F -U -P -a -H -I -h -q -p -0 --ignore-case --smart-case --case-sensitive --line-number --no-line-number --files-with-matches --files-without-match --count --count-matches --only-matching --invert-match --word-regexp --line-regexp --fixed-strings --multiline --multiline-dotall --pcre2 --files  --no-heading --heading --with-filename --no-filename --column --json --stats --vimgrep --trim --text --quiet --pretty --null --no-messages --type-list --glob-case-insensitive --passthru --no-config --color= --sort= --sortr= --one-file-system -u -. --hidden --no-ignore --no-ignore-vcs --unrestricted',
    values:
      '-A=number -B=number -C=number -m=number -e=text -g=names -t=text -T=text -M=number -d=number -r=text --after-context=number --before-context=number --context=number --max-count=number --regexp=text --glob=names --iglob=names --type=text --type-not=text --max-columns=number --max-depth=number --maxdepth=number --replace=text --max-filesize=number --color=text --colors=text --sort=text --sortr=text --engine=text --encoding=text --path-separator=text --context-separator=text -j=number --threads=number',
    operands: { text: ['-e', '--regexp', '--files', '--type-list'] },
    isReader: true,
    isFilter: false,
    isTame: false,
    deep: 'always',
  }),
}

/** The greps have no option that runs or writes. */
function search(): Spec {
  return spec({
    flags:
      '-i -n -r -R -l -L -c -v -w -x -o -E -F -G -P -q -s -h -H -a -I -z -Z -U -b -T -y --ignore-case --no-ignore-case --line-number --recursive --dereference-recursive --files-with-matches --files-without-match --count --invert-match --word-regexp --line-regexp --only-matching --extended-regexp --fixed-strings --basic-regexp --perl-regexp --quiet --silent --no-messages --no-filename --with-filename --text --null --null-data --color --color= --colour= --line-buffered --byte-offset --initial-tab',
    values:
      '-A=number -B=number -C=number -m=number -e=text -f=file --after-context=number --before-context=number --context=number --max-count=number --regexp=text --file=file --include=names --exclude=text --exclude-dir=text --exclude-from=file --color=text --colour=text --binary-files=text --label=text',
    operands: { text: ['-e', '--regexp', '-f', '--file'] },
    hasCount: true,
    isReader: true,
    deep: '-r -R --recursive --dereference-recursive',
    follows: '-R --dereference-recursive',
  })
}
