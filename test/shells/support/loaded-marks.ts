import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { connectHolder } from '../../../src/server/terminal/holder/connect-holder.ts'
import type { Mark } from '../../../src/terminal/incoming.ts'
import { noEvents } from '../../../src/server/terminal/holder/end-holder.ts'

type Loaded = Mark & { kind: 'loaded' }

/** Brings a command in under each of these names, one after the other; what the shell says of its loading. */
export async function loadsOf(folder: string, ids: readonly string[]): Promise<Loaded[]> {
  const { socket } = JSON.parse(readFileSync(join(folder, 'holder.json'), 'utf8')) as {
    socket: string
  }
  const loads: Loaded[] = []
  let onPrompt: () => void = () => {}
  let isOver = false
  const client = await connectHolder(socket, (_hello, value) => ({
    value,
    events: {
      ...noEvents(),
      onMark(mark) {
        if (mark.kind === 'loaded') loads.push(mark)
        // Loading redraws the prompt; only the one behind an end is the next.
        if (mark.kind !== 'prompt')
          isOver = mark.kind === 'output-end' || (isOver && mark.kind === 'prompt-start')
        else if (isOver) onPrompt()
      },
    },
  }))
  for (const id of ids) {
    const over = new Promise<void>((resolve) => {
      onPrompt = () => (loads.at(-1)?.id === id ? resolve() : undefined)
    })
    const command = Buffer.from(':')
    client.inject({
      id,
      command,
      model: true,
      asFile: false,
      private: false,
      stamp: null,
      level: 0,
    })
    await over
  }
  client.disconnect()
  return loads
}
