import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { SubmitAs } from '../../protocol/http/intent.ts'
import type { Grammar } from '../commands/grammar.ts'
import { findMentions } from '../decide/attach.ts'
import { argumentAt, quoteArgument, quoteMention } from './arguments.ts'
import { completionAt } from './complete.ts'
import { shellWordAt } from './shell-word.ts'

/** The completion wanted at the `|` of a text, as `kind:replaced text:text so far`. */
function at(marked: string, as: SubmitAs = 'auto'): string {
  const cursor = marked.indexOf('|')
  const text = marked.slice(0, cursor) + marked.slice(cursor + 1)
  const want = completionAt(text, cursor, as)
  const kind = want.kind === 'shell' ? want.role : want.kind
  return `${kind}:${text.slice(want.from, want.to)}:${want.text}`
}

describe('what is being completed', () => {
  test('[COMP1] a command’s name is completed where it is the whole of a word that begins the input', () => {
    expect(at('/mo|')).toBe('command:/mo:mo')
    expect(at('  /mo|del x')).toBe('command:/model:mo')
    expect(at('/|')).toBe('command:/:')
    expect(at('|/model')).toBe('nothing::')
    expect(at('say /mo|')).toBe('nothing::')
    expect(at('/usr/bi|')).toBe('nothing::')
    expect(at('\\/mo|')).toBe('nothing::')
    expect(at('/mo|', 'text')).toBe('nothing::')
    expect(at('/mo|', 'run')).toBe('program:/mo:/mo')
  })

  test('[COMP2] an argument is completed by the kind that its command declares', () => {
    expect(completionAt('/model gem', 10, 'auto')).toMatchObject({
      kind: 'argument',
      from: 7,
      to: 10,
      text: 'gem',
      argument: { kind: 'model' },
    })
    expect(at('/cache x|')).toBe('nothing::')
    expect(at('/some-skill see @a|')).toBe('mention:@a:a')
  })

  test('[COMP2] flags come first, each once, with the value after a blank or an equals sign', () => {
    const grammar: Grammar = {
      flags: [
        { name: 'repo', kind: 'repo' },
        { name: 'cwd', kind: 'folder' },
      ],
      words: [{ name: 'what', kind: 'choice', choices: ['a', 'b'] }],
      rest: { name: 'command', kind: 'shell' },
    }
    const find = (marked: string) => {
      const cursor = marked.indexOf('|')
      const text = marked.replace('|', '')
      const { slot, given } = argumentAt(grammar, text, { start: 2, cursor })
      if (slot === null) return null
      const name = slot.kind === 'flag' ? slot.names.join() : slot.argument.name
      const range = text.slice(slot.from, slot.to)
      return [slot.kind, name, range, slot.text, Object.fromEntries(given)]
    }
    expect(find('/x --|')).toEqual(['flag', 'repo,cwd', '--', '--', {}])
    expect(find('/x --repo r --c|')).toEqual(['flag', 'cwd', '--c', '--c', { repo: 'r' }])
    expect(find('/x --repo=ap|i b')).toEqual(['word', 'repo', 'api', 'ap', {}])
    expect(find('/x --cwd "my f|older" b')).toEqual(['word', 'cwd', '"my folder"', 'my f', {}])
    expect(find('/x --cwd |')).toEqual(['word', 'cwd', '', '', {}])
    expect(find('/x |')).toEqual(['word', 'what', '', '', {}])
    expect(find('/x -- --|')).toEqual(['word', 'what', '--', '--', {}])
    expect(find('/x --no b|')).toBeNull()
    expect(find('/x a ls --re|po x')).toEqual([
      'rest',
      'command',
      'ls --repo x',
      'ls --re',
      { what: 'a' },
    ])
  })

  test('[COMP4] an @path is completed anywhere in a prompt, in quotes too', () => {
    expect(at('see @src/a|')).toBe('mention:@src/a:src/a')
    expect(at('@|')).toBe('mention:@:')
    expect(at('look (@a.t|s) now')).toBe('mention:@a.ts:a.t')
    expect(at('look (@a.ts|) now')).toBe('mention:@a.ts:a.ts')
    expect(at('see @"my fi|le" now')).toBe('mention:@"my file":my fi')
    expect(at('see @"my fi|')).toBe('mention:@"my fi:my fi')
    expect(at('see @"my file"| now')).toBe('nothing::')
    expect(at('see @"|')).toBe('mention:@":')
    expect(at('mail me@exam|ple.com')).toBe('nothing::')
    expect(at('@a b|')).toBe('nothing::')
    expect(at('@a @b|c')).toBe('mention:@bc:b')
  })

  test('[COMP5] a command line is completed word by word, with its quotes and escapes', () => {
    expect(at('!gi|')).toBe('program:gi:gi')
    expect(at('!!gi|t x')).toBe('program:git:gi')
    expect(at('  !? gi|')).toBe('program:gi:gi')
    expect(at('gi|', 'run')).toBe('program:gi:gi')
    expect(at('!|!gi')).toBe('nothing::')
    expect(at('!cat my\\ fi|')).toBe('argument:my\\ fi:my fi')
    expect(at("!cat 'my fi|le' x")).toBe("argument:'my file':my fi")
    expect(at('!cat "my \\"fi|')).toBe('argument:"my \\"fi:my "fi')
    expect(at('!cat "my fi| && ls')).toBe('argument:"my fi:my fi')
    expect(at("!cat $'a\\nb|")).toBe("argument:$'a\\nb:a\nb")
    expect(at('!cat a|b c')).toBe('argument:ab:a')
    expect(at('!cat |b')).toBe('argument::')
    expect(at('!cat >o|ut')).toBe('argument:out:o')
    expect(at('!ls --file=src/|')).toBe('argument:src/:src/')
    expect(at('!ls # no|')).toBe('comment::')
    expect(at('!A=1 B=x|')).toBe('argument:x:x')
  })

  test('[COMP5] after |, &&, ;, $( and before a program’s own words it is a program again', () => {
    for (const before of [
      'ls | ',
      'ls|',
      'a && ',
      'a || ',
      'a; ',
      'a & ',
      'echo $(',
      'echo "$(',
      'echo `',
      '(',
      'if ',
      'A=1 ',
      'sudo ',
      'sudo -n ',
      'a\n',
      'x <(',
      'a >f && ',
    ]) {
      const text = `!${before}gi`
      const want = completionAt(text, text.length, 'auto')
      expect([before, want]).toMatchObject([before, { kind: 'shell', role: 'program', text: 'gi' }])
    }
    expect(at('!echo $(date) gi|')).toBe('argument:gi:gi')
    expect(at('!echo "$(date) gi|"')).toMatch(/^argument:/)
    expect(at('!a >f gi|')).toBe('argument:gi:gi')
  })

  test('[COMP5] a variable is completed by its name alone, unless it is quoted away', () => {
    expect(at('!echo $HO|')).toBe('variable:HO:HO')
    expect(at('!echo "a${HO|ME}"')).toBe('variable:HOME:HO')
    expect(at('!echo $|')).toBe('variable::')
    expect(at("!echo '$HO|")).toBe("argument:'$HO:$HO")
    expect(at('!echo \\$HO|')).toBe('argument:\\$HO:$HO')
    expect(shellWordAt('cat $HOME/a', 0, 11)).toMatchObject({ role: 'argument', isLiteral: false })
    expect(shellWordAt('cat ~/a', 0, 7)).toMatchObject({ hasTilde: true, isLiteral: true })
    expect(shellWordAt("cat '~/a", 0, 8)).toMatchObject({ hasTilde: false })
  })

  const texts = fc.oneof(
    fc.string(),
    fc.string({
      unit: fc.constantFrom(...' !/@"\'\\$(){}`|&;<>#=~-ab\n?*'.split('')),
      maxLength: 40,
    }),
    fc.string({
      unit: fc.constantFrom('/model ', '@', '"', "'", ' ', 'a', '--', '!', '$('),
      maxLength: 8,
    }),
  )
  const ways = fc.constantFrom<SubmitAs>('auto', 'run', 'text')

  test('[COMP1] any text at any cursor has one answer, whose range holds the cursor', () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: -2, max: 60 }), ways, (text, cursor, as) => {
        const want = completionAt(text, cursor, as)
        const place = Math.max(0, Math.min(cursor, text.length))
        expect(want.from).toBeLessThanOrEqual(place)
        expect(want.to).toBeGreaterThanOrEqual(place)
        expect(want.from).toBeGreaterThanOrEqual(0)
        expect(want.to).toBeLessThanOrEqual(text.length)
      }),
      { numRuns: Number(process.env['TANDEM_PROPERTY_RUNS'] ?? 2_000) },
    )
  })

  test('[COMP1] what is put in is found again at its end, and the rest of the text stays', () => {
    const word = fc.string({
      unit: fc.constantFrom(...'abc./-_'.split('')),
      minLength: 1,
      maxLength: 8,
    })
    fc.assert(
      fc.property(texts, fc.nat(40), ways, word, (text, cursor, as, word) => {
        const want = completionAt(text, cursor, as)
        if (want.kind !== 'shell' && want.kind !== 'mention' && want.kind !== 'command') return
        if (want.kind === 'shell' && want.role === 'comment') return
        const name = word.replaceAll(/[^a-z]/g, 'a')
        const insert = { shell: name, mention: `@${name}`, command: `/${name}` }[want.kind]
        const after = text.slice(0, want.from) + insert + text.slice(want.to)
        const again = completionAt(after, want.from + insert.length, as)
        // Right before another word, or where a quote was left open or kept apart what follows, it becomes a part of that.
        const isApart = /["']$/.test(text.slice(want.from, want.to))
        const isGlued = /^[^\s]/.test(text.slice(want.to)) && (want.to <= cursor || isApart)
        if (!isGlued) expect(after.slice(again.to)).toBe(text.slice(want.to))
        expect(after.slice(0, again.from)).toBe(text.slice(0, want.from))
        expect(again.text).toBe(name)
        expect(again.kind).toBe(want.kind)
      }),
      { numRuns: Number(process.env['TANDEM_PROPERTY_RUNS'] ?? 2_000) },
    )
  })

  test('[COMP4] a path that is put in as a mention is read as that path, or is not offered', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (path) => {
        const written = quoteMention(path)
        if (written === null) return
        expect(findMentions(written)[0]?.[0]?.path).toBe(path)
      }),
    )
    expect(quoteMention('a b')).toBe('@"a b"')
    expect(quoteMention('a:10')).toBe('@a:10')
    expect(quoteMention('a b:10')).toBeNull()
    expect(quoteMention('a\u001b[31m')).toBeNull()
    expect(quoteArgument('a b')).toBe('"a b"')
    expect(quoteArgument('a"b')).toBe("'a\"b'")
    expect(quoteArgument('\'"')).toBeNull()
  })
})
