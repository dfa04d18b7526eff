import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ShellName } from '../../src/protocol/events/shell.ts'
import { text } from '../terminal/support/temp-shell.ts'
import { cornersOf } from './support/corners.ts'
import { type HomeShell, startHomeShell } from './support/shell-home.ts'
import { startFiles } from './support/start-files.ts'

const homes = ShellName.options.flatMap((shell) =>
  Object.entries(startFiles[shell]).map(([name, file]) => ({ shell, name, file })),
)

describe.each(homes)('$shell with $name', ({ shell, file }) => {
  let own: HomeShell
  beforeAll(async () => {
    own = await startHomeShell(shell, file)
  })
  afterAll(() => own.close())

  test.each(cornersOf(shell))(
    '[SHELL1] gives exact output, code and folder: $what',
    async ({ command, output, code }) => {
      const end = await own.run(command)
      if (typeof output === 'string') expect(text(end.output)).toBe(output)
      else expect(text(end.output)).toMatch(output)
      expect(end).toMatchObject({ outcome: 'ended', exitCode: code, cwdAfter: own.home })
    },
  )

  test('[SHELL1] reports exit codes, whatever prompt and hooks do', async () => {
    const codes = [0, 1, 2, 7, 126, 127, 128, 130, 255, 0]
    const seen: (number | null)[] = []
    for (const code of codes) seen.push((await own.run(`sh -c 'exit ${code}'`)).exitCode)
    expect(seen).toEqual(codes)
  })
})
