import { readFileSync } from 'node:fs'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * A test file that takes long says `// takes: 120 s`, and begins before the others: begun last, it would run alone.
 * Otherwise vitest begins with the largest file, unless it remembers how long each took.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted
      .map((file) => ({ file, seconds: secondsOf(file) }))
      .toSorted((one, other) => other.seconds - one.seconds)
      .map(({ file }) => file)
  }
}

function secondsOf({ moduleId }: TestSpecification): number {
  const [, seconds = '0'] = /^\/\/ takes: (\d+) s$/m.exec(readFileSync(moduleId, 'utf8')) ?? []
  return Number(seconds)
}
