import { afterAll, expect, onTestFinished, test } from 'vitest'
import { removeWorker, startLooked } from './support/looked-shell.ts'

afterAll(removeWorker)

async function looked(bashrc: string) {
  const own = await startLooked({ bashrc })
  onTestFinished(own.close)
  return own
}

test('[TERM164] an unfinished line stays on the screen when the next command is brought in, and when a half-typed line comes back', async () => {
  const own = await looked("PS1='$ '\n")
  await own.run(`printf 'one\\nunfinished'`)
  await own.run('echo next')
  expect(await own.read()).toMatch(/\none\nunfinished\$ ?\n\$ echo next\nnext\n/)
  own.terminal().liveView.type('half')
  await own.run(`printf '\\033[32magain\\033[0m'`)
  await own.run('echo last')
  expect(await own.read()).toMatch(/\nagain\$ ?\n\$ [^]*echo last\nlast\n/)
})

test('[TERM164] where nothing stands before the prompt no line is added', async () => {
  const own = await looked(`PS1='top\\nbottom$ '\n`)
  await own.run('printf unfinished')
  await own.run('echo next')
  await own.run(`printf 'done\\r\\n'`)
  await own.run('true')
  const seen = await own.read()
  expect(seen).toMatch(/unfinishedtop\nbottom\$ echo next\nnext\ntop\nbottom\$ printf/)
  expect(seen).toMatch(/\ndone\ntop\nbottom\$ true\ntop\nbottom\$/)
})
