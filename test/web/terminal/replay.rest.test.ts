import { expect, test } from 'vitest'
import { useServer } from '../../support/world.ts'
import { useBrowser } from '../support/browser.ts'
import { openTerminal } from './support/terminal-page.ts'

const world = useServer()
const visit = useBrowser()

test('[TERMWEB2] a recording is scrubbed and played by keys, and the chat shows what had been said by then', async () => {
  const session = await world.server.session()
  await session.run('echo first-act')
  await session.run('sleep 2; echo second-act')
  await session.run('clear; echo third-act')
  const tab = await openTerminal(visit, world.server, { session: session.id })
  await tab.shows(/^third-act$/m)
  // Beside the terminal, and too long after its last words to be of the same second.
  await session.send('/shell sleep 2')
  await session.until('run_end', 4)
  await session.send('/shell echo epilogue')
  await session.until('run_end', 5)
  await tab.page.keyboard.press('Control+k')
  await tab.page.getByRole('dialog', { name: 'Commands' }).waitFor()
  await tab.page.keyboard.type('Replay')
  await tab.page.keyboard.press('Enter')
  const bar = tab.page.getByLabel('Place in the recording')
  // It begins where the session is, so that nothing goes from the screen.
  await tab.shows(/^third-act$/m)
  await bar.focus()
  await tab.page.keyboard.press('End')
  await tab.run('first-act').waitFor()
  await tab.run('third-act').waitFor()
  await tab.run('epilogue').waitFor()
  await tab.page.keyboard.press('Home')
  await tab.run('third-act').waitFor({ state: 'detached' })
  await tab.shows(/^(?![^]*third-act)/)
  // From run to run, with the slack of a clock that tells whole seconds only.
  await tab.page.keyboard.press(']')
  await tab.page.keyboard.press(']')
  await tab.run('first-act').waitFor()
  expect(await tab.run('third-act').count()).toBe(0)
  // Playing goes through all of it, and stops at the end.
  await tab.page.getByLabel('Speed').selectOption('8')
  await tab.page.getByRole('button', { name: 'Play', exact: true }).click()
  await tab.shows(/^third-act$/m)
  await tab.run('third-act').waitFor()
  await tab.page.getByRole('button', { name: 'Play', exact: true }).waitFor()
  // It is looked at only: what is typed on it reaches no shell.
  await tab.page.locator('.xterm-screen').click()
  await tab.page.keyboard.type('echo never\n')
  await tab.page.getByRole('button', { name: 'Back to the live terminal' }).click()
  await session.run('echo fourth-act')
  await tab.shows(/^fourth-act$/m)
  expect(session.all('run_start')).toHaveLength(6)
  expect(tab.faults).toEqual([])
})
