import { Worker } from 'node:worker_threads'

/** Asks for health again and again, on a thread of its own: our own work is not to be measured. */
const program = `
const { get, Agent } = require('node:http')
const { url, token, longest } = require('node:worker_threads').workerData
const agent = new Agent({ keepAlive: true })
const headers = { authorization: 'Bearer ' + token }
function ask() {
  const from = performance.now()
  get(url + '/v1/health', { agent, headers }, (response) => {
    response.resume()
    response.once('end', () => {
      longest[0] = Math.max(longest[0], performance.now() - from)
      setTimeout(ask, 2)
    })
  }).once('error', () => setTimeout(ask, 2))
}
ask()
`

export function watchHealth({ url, token }: { url: string; token: string }) {
  const longest = new Float64Array(new SharedArrayBuffer(8))
  const worker = new Worker(program, { eval: true, workerData: { url, token, longest } })
  return {
    /** The longest wait since the last time, in milliseconds. */
    longest(): number {
      const [wait = 0] = longest
      longest[0] = 0
      return wait
    },
    close: () => worker.terminate(),
  }
}
