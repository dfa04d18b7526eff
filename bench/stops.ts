import { once } from 'node:events'
import { routes } from '../src/protocol/http/routes.ts'
import { startServer } from '../test/support/server.ts'
import { ms, percentile, type Row, times } from './stats.ts'

const rounds = 3
const few = 5
const many = 50
/** Neither a shell that is asked to go nor its job does. */
const stubborn = 'trap "" HUP TERM INT; (trap "" HUP TERM INT; sleep 1000) &'

/** `tandem stop --shells`: how long it takes until server and shells are gone. */
export async function stops(): Promise<readonly Row[]> {
  const idle = { few: [] as number[], many: [] as number[], stubborn: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    idle.few.push(await toEnd(few, ':'))
    idle.many.push(await toEnd(many, ':'))
    idle.stubborn.push(await toEnd(many, stubborn))
  }
  const [short, long] = [percentile(idle.few, 0.5), percentile(idle.many, 0.5)]
  return [
    { what: `end ${few} idle shells`, figure: ms(short) },
    {
      what: `end ${many} idle shells`,
      figure: ms(long),
      beside: `${times(long / short)} of ${few}; wanted: 3 at most`,
    },
    {
      what: `end ${many} stubborn shells`,
      figure: ms(percentile(idle.stubborn, 0.5)),
      beside: 'wanted: within the ladder’s 5,000 ms',
    },
  ]
}

async function toEnd(count: number, command: string): Promise<number> {
  const server = await startServer()
  for (let n = 0; n < count; n++) {
    const session = await server.session()
    await session.run(command)
    session.close()
  }
  const exit = once(server.process, 'exit')
  const start = performance.now()
  await server.client.call(routes.shutdown, { body: { shells: 'end' } })
  await exit
  const taken = performance.now() - start
  await server.close()
  return taken
}
