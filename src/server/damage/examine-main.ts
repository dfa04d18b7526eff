import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { SessionId } from '../../protocol/events/seq.ts'
import { examine, salvage } from './examine.ts'

const Asked = z.object({ home: z.string(), session: SessionId.nullable() })

/** Reads a whole database for the server, which must not wait for it: the question comes in, the findings go out. */
const { home, session } = Asked.parse(JSON.parse(await text(process.stdin)))
const found = session === null ? await examine(home) : await salvage(home, session)
process.stdout.write(JSON.stringify(found))
