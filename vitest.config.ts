import { readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'

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

export default defineConfig({
  test: {
    projects: [
      { ...shared, test: { name: 'unit', include: ['src/**/*.test.ts'], testTimeout: 60_000 } },
      {
        ...shared,
        test: {
          name: 'system',
          include: ['test/**/*.test.ts'],
          globalSetup: ['test/support/global-setup.ts'],
          testTimeout: 120_000,
          hookTimeout: 60_000,
          maxWorkers: 2,
          // After the unit tests, not among them.
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
