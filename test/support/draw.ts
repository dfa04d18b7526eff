import { configureGlobal } from 'fast-check'
import { seed } from './seed.ts'

/** Before each test file: its properties draw from the run's seed. */
configureGlobal({ seed })
