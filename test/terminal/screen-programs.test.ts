// needs: less vi
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { useScreen } from './support/screen.ts'

const screen = useScreen()

test('[WAIT8] of a pager the model sees the page, and after a key the next one', async () => {
  const shell = await screen.start()
  const file = join(shell.home, 'long.txt')
  writeFileSync(file, Array.from({ length: 100 }, (_, n) => `line ${n + 1}.\n`).join(''))
  const { seen, ended } = await screen.waits(`env -u LESS less ${file}`)
  const { rows } = shell.terminal().liveView.state().size
  expect(seen).toMatch(new RegExp(`^line 1\\.\nline 2\\.\n[^]*line ${rows - 1}\\.\n.*long\\.txt$`))
  const next = await screen.press('Space')
  expect(next.state).toBe('screen')
  expect(next.seen).toMatch(new RegExp(`^line ${rows}\\.\n[^]*line ${2 * rows - 2}\\.\n:$`))
  expect(await screen.type('q')).toMatchObject({ state: 'ended' })
  expect(await ended).toMatchObject({ exitCode: 0 })
})

test('[WAIT8] of an editor the model sees the text as it stands there', async () => {
  const shell = await screen.start()
  const file = join(shell.home, 'note.txt')
  writeFileSync(file, 'first\nsecond\n')
  const { seen, ended } = await screen.waits(`vi -u NONE -n ${file}`)
  expect(seen).toMatch(/^first\nsecond\n~\n/)
  expect((await screen.type('onew')).seen).toMatch(/^first\nnew\n\nsecond\n~\n/)
  await screen.press('Escape')
  await screen.type(':q!')
  await ended
})
