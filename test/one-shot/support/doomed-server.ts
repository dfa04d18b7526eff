import { createOneShots } from '../../../src/server/one-shot/one-shots.ts'
import { createSlots } from '../../../src/server/one-shot/slots.ts'

/** A server of its own, to be killed: starts one-shot commands and says what they print. */
const { folder, commands } = JSON.parse(process.argv[2] ?? '') as {
  folder: string
  commands: Record<string, string>
}
const oneShots = createOneShots({
  folder,
  workspace: folder,
  shell: 'bash',
  env: { PATH: process.env['PATH'] ?? '' },
  slots: createSlots(8),
  limit: (file, args) => ({ file, args, cgroup: null }),
  diagnose: () => undefined,
})
for (const [id, command] of Object.entries(commands))
  void oneShots.run(
    { id, command, cwd: null, timeoutMs: 0 },
    {
      signal: new AbortController().signal,
      onOutput: (text) => process.stdout.write(text),
      onTimeout: () => undefined,
      onStatus: () => undefined,
    },
  )
