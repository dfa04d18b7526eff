import { execFileSync } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { useWorld } from '../support/world.ts'
import { useBrowser } from './support/browser.ts'
import { press } from './support/visit.ts'

const world = useWorld()
const visit = useBrowser()

test('[WEB7] `/shell` runs in two repos at once, beside the terminal, each entry with its repo', async () => {
  for (const name of ['backend', 'frontend']) {
    const folder = join(world.server.workspace, name)
    await mkdir(folder)
    execFileSync('mkfifo', [join(folder, 'go')])
  }
  const session = await world.server.session()
  const { say, run, sees } = await visit(world.server, { session: session.id })
  await say(`/repo add ${join(world.server.workspace, 'backend')}`)
  await say(`/repo add ${join(world.server.workspace, 'frontend')}`)
  // Each waits for the other: neither ends unless both run.
  await say('/shell --repo backend cat go; echo to frontend > ../frontend/go')
  await say('/shell --repo frontend echo to backend > ../backend/go; cat go')
  await sees(run(/^🖥 \/shell cat go.* \(repo: backend\) — \d+\.\ds ✓/).getByText('to backend'))
  await sees(
    run(/^🖥 \/shell echo to backend.* \(repo: frontend\) — \d+\.\ds ✓/).getByText('to frontend'),
  )
  expect(session.all('run_start').map(({ lane }) => lane)).toEqual(['background', 'background'])
  await say('/shell --repo backend exit 4')
  await sees(run(/\/shell exit 4 \(repo: backend\) — .*✗ \(exit 4\)/))
})

test('[WEB48] the team’s repos and tasks are seen, added to and moved on', async () => {
  const folder = join(world.server.workspace, 'shop')
  await mkdir(folder)
  const session = await world.server.session()
  const { page, sees, composer } = await visit(world.server, { session: session.id })
  await press(page, 'Control+k')
  await page.getByRole('combobox', { name: 'Commands' }).fill('team')
  await press(page, 'Enter')
  const team = page.getByRole('dialog', { name: 'Team' })
  await team.getByRole('textbox', { name: 'Add task' }).fill('Paint the shop')
  await team.getByRole('textbox', { name: 'Add task' }).press('Enter')
  const task = team.getByRole('listitem').filter({ hasText: 'Paint the shop' })
  await sees(task.getByText('open', { exact: true }))
  await task.getByRole('button', { name: 'Assign…' }).click()
  await task.getByRole('textbox', { name: 'Who does it' }).fill('two words')
  await press(page, 'Enter')
  // Said where it can be heard: whatever is outside of the dialog is not.
  await sees(team.getByRole('alert'))
  await task.getByRole('textbox', { name: 'Who does it' }).fill('ada')
  await press(page, 'Enter')
  await sees(task.getByText('assigned · ada'))
  await team.getByRole('textbox', { name: 'Add repo' }).fill('/no/such/folder')
  await team.getByRole('button', { name: 'Add repo' }).click()
  await sees(team.getByRole('alert').last())
  await team.getByRole('textbox', { name: 'Add repo' }).fill(folder)
  await team.getByRole('button', { name: 'Add repo' }).click()
  const repo = team.getByRole('listitem').filter({ hasText: folder })
  await repo.getByRole('button', { name: 'Run here' }).click()
  await expect.poll(() => composer.inputValue()).toBe('/shell --repo shop ')
})
