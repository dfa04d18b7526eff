import { expect, test } from 'vitest'
import { plainShell } from '../../../test/support/plain-shell.ts'
import { tempFolder } from '../../../test/support/temp.ts'
import { judgeNow } from './judge-now.ts'
import { isReadBy } from './second-opinion.ts'

test('[APP8] the shell that would run a command reads it first, and runs nothing of it', async () => {
  for (const command of ['ls | wc -l', 'for x in a b; do\n  echo "$x"\ndone', 'echo $(exit 3)'])
    expect([command, await isReadBy('bash', command)]).toEqual([command, true])
  for (const command of ['ls |', 'echo "', 'if ls; then', 'cat <<X\ntext', 'ls )', 'ls ;; ls'])
    expect([command, await isReadBy('bash', command)]).toEqual([command, false])
})

test('[APP8] a command that its shell cannot read asks, and where nobody attends is refused', async () => {
  const temp = await tempFolder()
  const facts = {
    workspace: temp.path,
    cwd: temp.path,
    shell: 'bash',
    home: null,
    isTrusted: true,
  } as const
  const decide = async (command: string, approval: 'guarded' | 'refuse') =>
    (await judgeNow(command, { ...facts, approval }, async () => plainShell())).decision
  expect(await decide('ls | wc -l', 'guarded')).toBe('allow')
  // Our grammar takes the number for the text, and bash for the output that goes elsewhere.
  const unread = 'cat <<< 2>&1'
  expect(await decide(unread, 'guarded')).toBe('ask')
  expect(await decide(unread, 'refuse')).toBe('deny')
  await temp.remove()
})
