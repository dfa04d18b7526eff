import { execFileSync } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { useWorld } from '../support/world.ts'
import { useBrowser } from './support/browser.ts'

const world = useWorld()
const visit = useBrowser()

test('[WEB41] `/shell` runs in two repos at once, beside the terminal, each entry with its repo', async () => {
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
  await sees(run(/^🖥 \/shell echo to backend.* \(repo: frontend\) — \d+\.\ds ✓/).getByText('to frontend'))
  expect(session.all('run_start').map(({ lane }) => lane)).toEqual(['background', 'background'])
  await say('/shell --repo backend exit 4')
  await sees(run(/\/shell exit 4 \(repo: backend\) — .*✗ \(exit 4\)/))
})
