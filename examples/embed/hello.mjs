// One agent: a command, a prompt, a question that gets a no, and a look at the log.
// Run it with: node examples/embed/hello.mjs
// The demo model needs neither a key nor a network; leave `model` out to talk to your own.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAgent } from 'tandem'

const temp = await mkdtemp(join(tmpdir(), 'tandem-embed-'))
const agent = await createAgent({
  workspace: temp,
  home: join(temp, '.data'),
  model: 'demo/offline',
})

// Whatever happens is an event. A command of the model's that could do harm asks first.
agent.subscribe((frame) => {
  if (frame.type !== 'event' || frame.event.type !== 'elicitation_request') return
  const { ask, command } = frame.event
  console.log(`may it run "${command}"? no`)
  void agent.answer(ask, 'deny', { word: 'Not in an example.' })
})

const { runs } = await agent.send('!echo hello > note.txt')
console.log(`ran "${runs[0].command}", exit code ${runs[0].exitCode}`)

const listed = await agent.send('list the files')
console.log(`${listed.reason} after ${listed.steps} steps:\n${listed.text}`)

const cleaned = await agent.send({ message: 'clean up' })
console.log(cleaned.text)

for await (const { seq, type } of agent.events()) {
  console.log(seq, type)
  if (type === 'agent_end') break
}

await agent.close({ shells: 'end' })
await rm(temp, { recursive: true })
