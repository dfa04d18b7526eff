// A server with probes in it, on a home of its own, and a client of one session.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { json } from 'node:stream/consumers'

export async function startWorld({ temp, bundle, probes }) {
  const workspace = join(temp, 'workspace')
  await mkdir(workspace)
  const env = {
    PATH: process.env.PATH,
    HOME: temp,
    LANG: 'C.UTF-8',
    SHELL: '/bin/bash',
    TANDEM_HOME: join(temp, 'data'),
  }
  execFileSync('git', ['init', '--quiet', workspace], { env })
  const server = spawn(process.execPath, [join(bundle, 'server.js'), '--detached'], {
    env,
    cwd: temp,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exit = once(server, 'exit')
  const [line] = await Promise.race([once(createInterface(server.stdout), 'line'), exit])
  const { url, token, error } = JSON.parse(line)
  if (url === undefined) throw new Error(`the server did not start: ${error ?? line}`)
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }

  async function post(path, body) {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    const answer = await response.json()
    if (!response.ok) throw new Error(`POST ${path}: ${JSON.stringify(answer)}`)
    return answer
  }

  async function probesThere() {
    return (await readdir(probes)).filter((name) => name.endsWith('.sock'))
  }

  return {
    /** The walks of one session; each call resolves when the end of the walk was seen. */
    async openSession() {
      const { id } = await post('/v1/sessions', { workspace })
      const line = await fetch(`${url}/v1/sessions/${id}/events`, { headers })
      const events = eventsIn(line.body)
      async function until(type) {
        for (;;) {
          const { done, value } = await events.next()
          if (done) throw new Error('the session’s events ended')
          if (value.type === type) return value
        }
      }
      return {
        async command(text) {
          await post(`/v1/sessions/${id}/send`, { text: `!${text}` })
          await until('run_end')
        },
        /** The demo model proposes a command that asks, and is told yes. */
        async turn() {
          await post(`/v1/sessions/${id}/send`, { text: 'clean up' })
          const { ask } = await until('elicitation_request')
          await post(`/v1/sessions/${id}/answer`, { ask, outcome: 'allow' })
          await until('agent_end')
        },
      }
    },
    /** What each probed thread called since it was asked last. */
    async take() {
      const names = await probesThere()
      const taken = names.map(async (name) => {
        const [entry] = name.split('-')
        return { entry, scripts: await json(connect(join(probes, name))) }
      })
      return Promise.all(taken)
    },
    async close() {
      await post('/v1/shutdown', { shells: 'end' })
      await exit
    },
    /** For when it cannot be closed. A shell ends with its holder's terminal. */
    async kill() {
      const pids = (await probesThere()).map((name) => Number(name.split('-')[1]))
      for (const pid of new Set([server.pid, ...pids]))
        try {
          process.kill(pid, 'SIGKILL')
        } catch {
          // It has ended.
        }
    },
  }
}

async function* eventsIn(stream) {
  let rest = ''
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    const messages = (rest + text).split('\n\n')
    rest = messages.pop()
    for (const message of messages) {
      const [, data] = /^data: ?(.*)$/m.exec(message) ?? []
      if (/^event: ?event$/m.test(message)) yield JSON.parse(data)
    }
  }
}
