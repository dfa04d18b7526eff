import type { Random } from '../store/random.ts'

/** Texts that are harmless here and dangerous there, or read in two ways. */
const plain =
  'README.md src docs -n -o -l -e -k -t -v -a -u -i -x -c -f -w -p -s - -- --pre=planted --output=out --format -exec -delete 1 x .env HEAD log a=b -10 5 planted ls cat echo sort git {} ; + ! ] ]] # #x'.split(
    ' ',
  )
const pieces = [
  '{a,b}',
  '{,}',
  '{,x}',
  '{ls,planted}',
  '{1..3}',
  '*',
  '?',
  '*.md',
  '[a-z]*',
  '~',
  '$HOME',
  '${HOME}',
  '$x',
  '"$x"',
  '${x:-$(planted)}',
  '${x@P}',
  '$((1+1))',
  '$((x[$(planted)]))',
  '$[1+1]',
  "'$(planted)'",
  '"\\$(planted)"',
  '\\$(planted)',
  "$'planted'",
  "$'\\x70lanted'",
  '$"planted"',
  '"$(echo -v)"',
  "$(echo -v 'x[$(planted)]')",
  '$(echo 1 -o README.md)',
  '$(echo 5 planted)',
  '$(echo x --pre=planted)',
  '$(echo . .env)',
  "'x[$(planted)]'",
  '\\;planted',
  '";planted"',
  '@(a|b)',
  '!!',
]
const names =
  'ls cat grep sort rg git find sed awk wc head tail echo printf test [ true : uniq date jq diff ps stat xxd planted'.split(
    ' ',
  )
const wrappers = [
  'env',
  'env LC_ALL=C',
  'timeout 5',
  'timeout -k 1 5',
  'nice -n 5',
  'command',
  'command -v',
  'xargs',
  'xargs -0 -n 1',
  'LC_ALL=C',
  'PAGER=planted',
  'x=1',
  'time',
  '!',
  'eval',
  'exec',
  'builtin',
]
const calls = [
  'sort -k 1 README.md',
  'sort -t , -k 2 README.md',
  'grep -n x README.md',
  'grep -e x -A 3 README.md',
  'rg -e x -e y src',
  'git log --author x -n 3',
  'git diff --stat HEAD',
  'git show HEAD',
  '[ -f README.md ]',
  '[ x = y ]',
  'test -n x',
  'timeout -k 1 5 ls',
  'nice -n 5 ls',
  'printf %s x',
  'find . -name x',
  'head -n 3 README.md',
  'date -d now',
  'cut -d : -f 1 README.md',
  'echo x | xargs -n 1 ls',
  "sh -c 'ls'",
  "bash -c 'ls && cat README.md'",
  'env LC_ALL=C ls',
  'cat README.md | wc -l',
  'for x in a b; do ls $x; done',
  'ls src && cat README.md',
  '[[ -f README.md ]]',
]
const signs = `'"\\$(){}[]|&;<>#!~*? \n\t-=,@\`xe01`.split('')

/** Writes programs with a planted command at any place that the grammar of a shell has. */
export function createPrograms(random: Random, examples: readonly string[]) {
  const pick = <T>(all: readonly T[]): T => all[random.wholeBelow(all.length)]!
  const some = (most: number, make: () => string) =>
    Array.from({ length: random.wholeBelow(most + 1) }, make).join(' ')

  /** The same text with quotes somewhere in it. */
  function quoted(text: string): string {
    const at = random.wholeBelow(text.length + 1)
    const [head, tail] = [text.slice(0, at), text.slice(at)]
    return pick([
      `'${text}'`,
      `"${text}"`,
      `${head}''${tail}`,
      `${head}"${tail}"`,
      `${head}\\${tail}`,
      `${head}\\\n${tail}`,
      `$'${text}'`,
    ])
  }

  function word(depth: number): string {
    switch (random.wholeBelow(depth > 3 ? 5 : 9)) {
      case 0:
      case 1:
      case 2:
        return pick(plain)
      case 3:
        return pick(pieces)
      case 4:
        return quoted(pick(plain))
      case 5:
        return pick(plain) + pick(pieces)
      case 6:
        return pick([
          `$(${list(depth + 1)})`,
          `"$(${list(depth + 1)})"`,
          `\`${simple(depth + 1)}\``,
        ])
      case 7:
        return pick([
          `<(${list(depth + 1)})`,
          `>(${list(depth + 1)})`,
          `"\`${simple(depth + 1)}\`"`,
        ])
      default:
        return `$(echo ${some(3, () => word(depth + 1))})`
    }
  }

  function redirect(depth: number): string {
    const to = () =>
      pick(['/dev/null', '/dev/null', 'out', 'README.md', '&1', '&2', word(depth + 1)])
    const end = pick(['EOF', "'EOF'", '"EOF"', '\\EOF'])
    return pick([
      `>${to()}`,
      `2>${to()}`,
      `<${to()}`,
      `>>${to()}`,
      `>|${to()}`,
      `&>${to()}`,
      `<>${to()}`,
      `3<${to()}`,
      `{fd}>${to()}`,
      `<<<${word(depth + 1)}`,
      `<<${end}\n${word(depth + 1)}\nEOF\n`,
      `<<-${end}\n\t${word(depth + 1)}\n\tEOF\n`,
    ])
  }

  /** A call that is harmless, but for one word. */
  function call(depth: number): string {
    const [name, ...rest] = pick(calls).split(' ')
    const at = random.wholeBelow(rest.length + 1)
    return [name, ...rest.slice(0, at), word(depth + 1), ...rest.slice(at)].join(' ')
  }

  function simple(depth: number): string {
    if (random.wholeBelow(2) === 0) return call(depth)
    const name = random.wholeBelow(8) === 0 ? word(depth + 1) : pick(names)
    const plainCall = `${name} ${some(4, () => word(depth + 1))}`
    const wrapped = random.wholeBelow(4) === 0 ? `${pick(wrappers)} ${plainCall}` : plainCall
    if (random.wholeBelow(12) === 0)
      return `${pick(['bash', 'sh'])} -c ${pick(["'", '"'])}${plainCall}'`
    return random.wholeBelow(5) === 0 ? `${wrapped} ${redirect(depth)}` : wrapped
  }

  function compound(depth: number): string {
    const inside = () => list(depth + 1)
    switch (random.wholeBelow(depth > 3 ? 1 : 12)) {
      case 1:
        return `(${inside()})`
      case 2:
        return `{ ${inside()}; }`
      case 3:
        return `if ${inside()}; then ${inside()}; else ${inside()}; fi`
      case 4:
        return `for ${pick(['x', 'y', 'path'])} in ${some(3, () => word(depth + 1))}; do ${inside()}; done`
      case 5:
        return `case ${word(depth + 1)} in ${word(depth + 1)}) ${inside()};; *) ${inside()};; esac`
      case 6:
        return `[[ ${pick(['-n', '-f', '-v', '!'])} ${word(depth + 1)} ${pick(['&&', '||', '==', '-eq', '<'])} ${word(depth + 1)} ]]`
      case 7:
        return pick([`f() { ${inside()}; }; f`, `while planted; do ${inside()}; break; done`])
      case 8:
        return `cd ${pick(['src', 'docs', '..', 'nowhere', 'src/..', word(depth + 1)])}`
      default:
        return simple(depth)
    }
  }

  function list(depth: number): string {
    const first = compound(depth)
    if (depth > 3 || random.wholeBelow(3) > 0) return first
    return `${first} ${pick([';', '&&', '||', '|', '|', '|&', '\n', '&', '#\n'])} ${list(depth + 1)}`
  }

  function mutated(program: string): string {
    const at = random.wholeBelow(program.length + 1)
    const gap = random.wholeBelow(3) === 0 ? 1 : 0
    return program.slice(0, at) + pick(signs) + program.slice(at + gap)
  }

  /** An everyday command with something strange in it. */
  function example(): string {
    const words = pick(examples).split(' ')
    const at = random.wholeBelow(words.length + 1)
    return [...words.slice(0, at), word(2), ...words.slice(at)].join(' ')
  }

  return (): string => {
    let program = random.wholeBelow(3) === 0 ? example() : list(0)
    for (let left = random.wholeBelow(4); left > 1; left--) program = mutated(program)
    return program
  }
}
