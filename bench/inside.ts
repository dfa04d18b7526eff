import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

/** What a process holds once all that nobody needs is collected. */
export interface Inside {
  /** Objects and buffers, in bytes. */
  liveBytes: number
  timers: number
}

export interface Insight {
  /** The environment in which a process can be looked into. */
  env: Record<string, string>
  look(pid: number): Promise<Inside>
}

/** Loaded into the measured process beside its own code, which knows nothing of it. */
const probe = (folder: string) => `
const { join } = require('node:path')
const { isMainThread } = require('node:worker_threads')
require('node:v8').setFlagsFromString('--expose-gc')
const collect = require('node:vm').runInNewContext('gc')
const answer = (socket) => {
  for (let round = 0; round < 3; round += 1) collect()
  const { heapUsed, external } = process.memoryUsage()
  const timers = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  socket.end(JSON.stringify({ liveBytes: heapUsed + external, timers }))
}
const path = join(${JSON.stringify(folder)}, process.pid + '.sock')
if (isMainThread) require('node:net').createServer(answer).listen(path).unref()
`

export async function prepareInsight(folder: string): Promise<Insight> {
  const path = join(folder, 'probe.cjs')
  await writeFile(path, probe(folder))
  return {
    env: { NODE_OPTIONS: `--require ${path}` },
    async look(pid) {
      const socket = connect(join(folder, `${pid}.sock`))
      await once(socket, 'connect')
      return JSON.parse(await text(socket))
    },
  }
}
