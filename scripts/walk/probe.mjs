// Counts the calls of every function in the thread that imports it first, and tells them to whoever
// connects to its socket. The bundle that is measured imports it; the sources know nothing of it.
import { Session } from 'node:inspector'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { threadId } from 'node:worker_threads'

const { searchParams } = new URL(import.meta.url)
const session = new Session()
session.connect()

/** The inspector of one's own thread answers before `post` returns. */
function ask(method, parameters = {}) {
  let answer = null
  session.post(method, parameters, (error, result) => {
    if (error !== null) throw new Error(`${method}: ${error.message}`)
    answer = result
  })
  return answer
}

ask('Profiler.enable')
ask('Profiler.startPreciseCoverage', { callCount: true, detailed: true })

// Taking them sets the counters back to zero.
const tell = (socket) => socket.end(JSON.stringify(ask('Profiler.takePreciseCoverage').result))
const name = `${searchParams.get('entry')}-${process.pid}-${threadId}.sock`
createServer(tell)
  .listen(join(searchParams.get('folder'), name))
  .unref()
