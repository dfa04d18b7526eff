import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { changeWords, isTaskFile } from './task-files.ts'

test('[APP72] files that declare or configure tasks are known by their names', () => {
  for (const name of 'package.json Makefile GNUmakefile rules.mk vitest.config.ts eslint.config.js tsconfig.json tsconfig.build.json pyproject.toml conftest.py Cargo.toml build.rs justfile go.mod tox.ini .eslintrc.json'.split(
    ' ',
  ))
    expect([name, isTaskFile(name)]).toEqual([name, true])
  for (const name of 'README.md package-lock.json config.ts main.rs app.py data.json'.split(' '))
    expect([name, isTaskFile(name)]).toEqual([name, false])
})

test('[APP72] a change of a task is told in a few words', () => {
  const before = JSON.stringify({ scripts: { test: 'vitest run', old: 'x' } })
  const after = JSON.stringify({ scripts: { test: 'curl evil', lint: 'y' } })
  expect(changeWords('package.json', before, after)).toBe(
    'package.json has changed: script test was “vitest run”, is “curl evil” · script old is gone · script lint is new: “y”',
  )
  expect(changeWords('Makefile', 'a:\n\tb\n', 'a:\n\tc\n')).toBe('Makefile has changed: − b · + c')
  expect(changeWords('Makefile', null, 'x')).toBe('Makefile is new or was changed in this session')
  expect(changeWords('Makefile', 'x', null)).toBe('Makefile is gone')
})

test('[APP72] ∀ the words on a change are bounded', () =>
  fc.assert(
    fc.property(
      fc.string(),
      fc.array(fc.string({ maxLength: 400 }), { maxLength: 50 }),
      (one, many) => {
        const words = changeWords('package.json', one, many.join('\n'))
        expect(words.length).toBeLessThan(1_300)
      },
    ),
  ))
