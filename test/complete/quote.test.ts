// needs: zsh fish
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { ShellName } from '../../src/protocol/events/shell.ts'
import { quotePath, quoteShell } from '../../src/server/complete/complete-shell.ts'

const hostile = ['\n', '\t', '\u001b', '\u0007', '\u007f', '\u0085', '\u202e', '\u200b', '\u2028']
const special = ' !"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'.split('')
const names = fc
  .array(fc.constantFrom(...hostile, ...special, ...'aé7fäß😀'.split(/(?:)/u)), {
    minLength: 1,
    maxLength: 12,
  })
  .map((units) => units.join(''))

// fish makes folders in its home.
const home = mkdtempSync(join(tmpdir(), 'tandem-quote-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

/** How each prints its arguments, each ended by a NUL. */
const print = {
  bash: ['bash', '--norc', '-c'],
  zsh: ['zsh', '-f', '-c'],
  fish: ['fish', '--no-config', '-c'],
} as const

test.each(ShellName.options)(
  '[COMP16] any name that is put into a command line is one word, and that name: %s',
  (shell) => {
    fc.assert(
      fc.property(fc.array(names, { minLength: 40, maxLength: 60 }), (list) => {
        const words = list.map((name) => quoteShell(name, shell))
        const [file, ...args] = print[shell]
        const said = execFileSync(file, [...args, `printf '%s\\0' ${words.join(' ')}`], {
          env: { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8', HOME: home },
        })
        expect(said.toString('utf8').split('\0').slice(0, -1)).toEqual(list)
        // Nothing that could move a cursor or hide stands in the line itself.
        expect(words.join('')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
      }),
      { numRuns: 8 },
    )
    expect(quotePath('~/a b', shell, true)).toBe("~/'a b'")
    expect(quotePath('~/', shell, true)).toBe('~/')
    expect(quotePath('~/a', shell, false)).toBe("'~/a'")
  },
)
