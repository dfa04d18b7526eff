import fc from 'fast-check'
import { expect, test } from 'vitest'
import { programsIn } from './programs.ts'

test.each<[string, string[]]>([
  ['git status', ['git']],
  ['/usr/bin/env FOO=1 node x.js', ['node']],
  ['./scripts/deploy.sh prod', ['deploy.sh']],
  ['A=1 B="two words" make -j4', ['make']],
  ['TOKEN=hunter2', []],
  ['TOKEN=$(cat secret) curl x', ['cat', 'curl']],
  ['sudo apt-get install x', ['apt-get']],
  ['sudo -u alice -E ls', ['ls']],
  ['sudo -iu alice ls', ['sudo']],
  ['sudo --user alice ls', ['sudo']],
  ['sudo', ['sudo']],
  ['env -u HOME -i A=b printenv', ['printenv']],
  ['command -v git', ['command']],
  ['nice -n 5 make', ['make']],
  ['ls | grep x && echo done; pwd & date', ['ls', 'grep', 'echo', 'pwd', 'date']],
  ['ls\npwd\r\n', ['ls', 'pwd']],
  ['echo one \\\n two', ['echo']],
  ['cat < secret > out 2>&1', ['cat']],
  ['>log make', ['make']],
  ['make &>log; ls', ['make', 'ls']],
  ['diff <(sort a) <(sort b)', ['sort', 'sort', 'diff']],
  ['echo "$(date +%s) now"', ['date', 'echo']],
  ['echo $(dirname "$(which node)")', ['which', 'dirname', 'echo']],
  ['if grep -q x y; then ls; else pwd; fi', ['grep', 'ls', 'pwd']],
  ['for f in *.ts; do wc -l "$f"; done | sort', ['wc', 'sort']],
  ['while read -r line; do echo "$line"; done < secret', ['read', 'echo']],
  ['(cd src && ls)', ['cd', 'ls']],
  ['{ ls; pwd; }', ['ls', 'pwd']],
  ['! test -e x', ['test']],
  ['[ -e secret ] && ls', ['[', 'ls']],
  ['time make', ['make']],
  ['\\ls', ['ls']],
  ['"git" status', ['git']],
  ['# ls', []],
  ['ls # rm secret', ['ls']],
  ['$EDITOR secret', []],
  ['${EDITOR:-vi} secret', []],
  ['"$HOME/bin/tool" secret', []],
  ['~/bin/tool secret', []],
  ['*/run secret', []],
  ['a{b,c} secret', []],
  ['', []],
  ['   ', []],
  ['&& ||', []],
  // Where it gets unclear, what is clear before stays.
  ['ls; list=(secret words)', ['ls']],
  ['ls; greet() { echo secret; }', ['ls']],
  ['ls; case $x in secret) rm y;; esac', ['ls']],
  ['ls; [[ secret > other ]] && rm', ['ls']],
  ['ls; (( secret > 1 ))', ['ls']],
  ['ls; cat <<EOF\nsecret words\nEOF', ['ls']],
  ['ls; echo `secret words`', ['ls']],
  ["ls; echo $'it\\'s secret'", ['ls']],
  ['ls; echo "secret', ['ls']],
  ['ls; echo $((secret + 1))', ['ls']],
  ['ls; echo ${x:-$(secret)}', ['ls']],
  ['cat <<<"secret words"', ['cat']],
])('[STAT1] the programs of %j are %j', (command, programs) => {
  expect(programsIn(command)).toEqual(programs)
})

const argument = fc.constantFrom(
  'secret',
  '"secret words"',
  "'secret; secret'",
  '--secret=secret',
  '/secret',
  '$secret',
  '${secret}',
  '"$secret"',
  'secret\\ secret',
  '>secret',
  '2>secret',
  '<secret',
  '\\;secret',
  '"a && secret"',
  "'$(secret)'",
  '"\\$(secret)"',
  '#secret',
  'secret=secret',
  '$(ls secret)',
  '{secret,secret}',
)
const simple = fc
  .tuple(
    fc.constantFrom('', 'A=secret ', 'sudo ', 'sudo -u secret ', 'env A=secret ', '! '),
    fc.constantFrom('ls', '/bin/cat', './go.sh'),
    fc.array(argument, { maxLength: 4 }),
  )
  .map(([before, program, args]) => `${before}${[program, ...args].join(' ')}`)
const line = fc
  .tuple(simple, fc.array(fc.tuple(fc.constantFrom(';', '&&', '||', '|', '&', '\n'), simple)))
  .map(([first, rest]) => `${first}${rest.map(([sign, next]) => ` ${sign} ${next}`).join('')}`)

test('[STAT1] no argument is ever named, however a line is put together', () =>
  fc.assert(
    fc.property(line, (command) => {
      const names = new Set(programsIn(command))
      expect([...names].filter((name) => !['ls', 'cat', 'go.sh'].includes(name))).toEqual([])
      expect(names.size).toBeGreaterThan(0)
    }),
    { numRuns: 2_000 },
  ))

test('[STAT1] any text is read without a fault, and names are short plain words', () =>
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc
          .array(fc.constantFrom(...'a$(){}[]<>|&;"\'`\\ \n#=~*!0'.split('')))
          .map((all) => all.join('')),
      ),
      (text) => {
        for (const name of programsIn(text)) expect(name).toMatch(/^(\[|[\w][\w.+-]{0,39})$/)
      },
    ),
    { numRuns: 2_000 },
  ))
