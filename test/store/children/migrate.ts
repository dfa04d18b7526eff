import { writeSync } from 'node:fs'
import { openDatabase } from '../../../src/server/store/database.ts'
import { migrate } from '../../../src/server/store/schema.ts'
import { futureSchema } from '../future-schema.ts'

/** Migrates, and stops for ever at the given place in the steps; at `none` it runs through. */
const [file = '', place = ''] = process.argv.slice(2)
const database = openDatabase({ file })
writeSync(1, 'open\n')
migrate(
  database,
  futureSchema((reached) => {
    if (reached !== place) return
    writeSync(1, `${reached}\n`)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  }),
)
writeSync(1, 'migrated\n')
database.close()
