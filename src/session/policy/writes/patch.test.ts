import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { patchedPaths } from './patch.ts'

const hunk = '@@ -1 +1 @@\n-a\n+b\n'

test('[APP72] a patch names every file that it changes, or is not understood', () => {
  expect(patchedPaths(`--- a/x.ts\n+++ b/x.ts\n${hunk}`)).toEqual(['x.ts', 'x.ts'])
  expect(patchedPaths(`--- /dev/null\n+++ b/d/x.ts\n@@ -0,0 +1 @@\n+b\n`)).toEqual(['d/x.ts'])
  // In a hunk a line that looks like a name is none, and after it one is.
  const within = '--- a/x\n+++ b/x\n@@ -1 +1 @@\n--- a/y\n+++ b/y\n'
  expect(patchedPaths(within)).toEqual(['x', 'x'])
  expect(patchedPaths(`--- a/x\n+++ b/x\n${hunk}--- a/y\n+++ b/.git/z\n${hunk}`)).toEqual([
    'x',
    'x',
    'y',
    '.git/z',
  ])
  for (const odd of [
    `--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n`,
    `new file mode 120000\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+/etc\n`,
    `rename from x\nrename to y\n`,
    `--- "a/x"\n+++ "b/x"\n${hunk}`,
    `--- x\n+++ x\n${hunk}`,
    `GIT binary patch\n`,
    hunk,
    '',
  ])
    expect([odd, patchedPaths(odd)]).toEqual([odd, null])
})

test('[APP72] no text makes the reader of patches throw', () =>
  fc.assert(
    fc.property(
      fc.array(
        fc.constantFrom('--- a/x', '+++ b/x', '@@ -1 +1 @@', '-a', '+b', ' c', '', 'rename to y'),
      ),
      (lines) => {
        const paths = patchedPaths(lines.join('\n'))
        expect(paths === null || paths.every((path) => path === 'x')).toBe(true)
      },
    ),
  ))
