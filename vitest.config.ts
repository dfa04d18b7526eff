import { readFileSync } from 'node:fs'
import { delimiter } from 'node:path'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/support/longest-first.ts'
import { patience } from './test/support/patience.ts'

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'))

/** The same text modules the build knows. */
const text = {
  name: 'text',
  enforce: 'pre' as const,
  load(id: string) {
    return /\.(bash|zsh|fish|md)$/.test(id)
      ? `export default ${JSON.stringify(readFileSync(id, 'utf8'))}`
      : undefined
  },
}
const shared = { plugins: [text], define: { TANDEM_VERSION: JSON.stringify(version) } }

/** Files that need a program which this machine lacks: `scripts/test.mjs` says so. */
const leftOut = (process.env['TANDEM_TEST_LEFT_OUT'] ?? '').split(delimiter).filter(Boolean)

/** Only where a seed is given: a run that draws its own need not load what draws. */
const draw =
  process.env['TANDEM_COMMIT_SEED'] === undefined && process.env['TANDEM_SEED'] === undefined
    ? []
    : ['test/support/draw.ts']

/**
 * A file of tests keeps nothing for the next one but the modules that it loaded: a process for each would only load
 * the same ones again, which was half of the time of many. Vitest would leave one core to itself.
 */
const workers = { isolate: false, maxWorkers: 2 }

/** Tests of whole servers and shells. They share the machine's cores, not its files or ports. */
const system = {
  ...workers,
  globalSetup: ['test/support/global-setup.ts', 'scripts/test/programs.mjs'],
  setupFiles: ['scripts/test/only-needed.mjs', ...draw],
  testTimeout: 120_000 * patience,
  hookTimeout: 60_000 * patience,
  env: { TANDEM_TEST_PATIENCE: String(patience) },
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        ...shared,
        test: {
          ...workers,
          name: 'unit',
          include: ['src/**/*.test.ts'],
          setupFiles: draw,
          testTimeout: 60_000 * patience,
        },
      },
      {
        ...shared,
        test: {
          ...system,
          name: 'system',
          include: ['test/**/*.test.ts'],
          exclude: ['test/**/*.rest.test.ts', ...leftOut],
          // After the unit tests, not among them.
          sequence: { groupOrder: 1 },
        },
      },
      {
        ...shared,
        test: {
          ...system,
          name: 'rest',
          // They take minutes, and their modules seconds: a browser or a shell that one leaves behind is not for the next.
          isolate: true,
          include: ['test/**/*.rest.test.ts'],
          exclude: leftOut,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
