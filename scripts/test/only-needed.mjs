// Before each system test file: it finds the programs that it says it needs, and those that every machine has.
import { expect } from 'vitest'
import { needsOf } from './needs.mjs'
import { searchPath } from './programs.mjs'

const { testPath } = expect.getState()
process.env.PATH = searchPath(process.env.TANDEM_TEST_PROGRAMS, needsOf(testPath))
