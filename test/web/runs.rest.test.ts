import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { useWorld } from '../support/world.ts'
import { useBrowser } from './support/browser.ts'

const world = useWorld()
const visit = useBrowser()

test('[WEB4] `!git status` is shown at once, then done with its time, and no model is asked', async () => {
  execFileSync('git', ['init', '-q'], { cwd: world.server.workspace })
  const session = await world.server.session()
  const { say, run, sees } = await visit(world.server, { session: session.id })
  await say('!git status')
  await sees(run(/^🖥 !git status — \d+\.\ds ✓$/).getByText('On branch'))
  expect(world.model.requests).toHaveLength(0)
  await say('!exit_with() { return "$1"; }; exit_with 3')
  await sees(run(/— \d+\.\ds ✗ \(exit 3\)$/))
  expect((await session.until('tool_request')).run).toMatchObject({ source: 'bang' })
})

test('[WEB4] a command shows the folder it ran in, and /shell its repo and --cwd', async () => {
  execFileSync('git', ['init', '-q'], { cwd: world.server.workspace })
  const session = await world.server.session()
  const { say, run, sees } = await visit(world.server, { session: session.id })
  await say('!cd /')
  await sees(run(/!cd \/ — .*✓$/).getByText(`in ${world.server.workspace}`, { exact: true }))
  await say('!true folder')
  await sees(run(/!true folder — .*✓$/).getByText('in /', { exact: true }))
  await say('/shell --cwd /tmp pwd')
  await sees(run(/\/shell pwd — .*✓$/).getByText('in /tmp', { exact: true }))
  await say('/shell true')
  const beside = run(/\/shell true \(repo: workspace\) — .*✓$/)
  await sees(beside.getByText(`in ${world.server.workspace}`, { exact: true }))
})

test('[WEB4] a running command shows its output as it comes, and Stop ends it', async () => {
  const session = await world.server.session()
  const { page, say, run, sees } = await visit(world.server, { session: session.id })
  await say('!echo before; sleep 1000')
  await sees(run('⏳ Running...').getByText('before', { exact: true }))
  await page.getByRole('button', { name: 'Stop', exact: true }).first().click()
  await sees(run(/— .*(✗|cancelled)/))
  await sees(page.getByRole('button', { name: 'Send' }))
})

test('[WEB4] long output is collapsed to ten lines and paged from the store, with its colours', async () => {
  const session = await world.server.session()
  const { page, say, run, sees } = await visit(world.server, { session: session.id })
  await say(`!printf '\\e[31mred\\e[0m\\n'; seq 20; true`)
  const short = run('seq 20')
  await sees(short.getByText('red', { exact: true }))
  await sees(short.getByText(/Show more \(11 lines\)/))
  expect((await short.locator('pre').innerText()).split('\n')).toHaveLength(10)
  const red = short.locator('.ansi-fg')
  expect((await red.innerText()).trimEnd()).toBe('red')

  await say('!seq 1 60000 | sed "s/^/row /"')
  const long = run('60000')
  await long.getByRole('button', { name: 'Show more' }).click()
  await long.getByRole('button', { name: /Show more \(\d+ KB left\)/ }).click()
  await sees(long.getByText(/row 9000\n/))
  await long.getByRole('button', { name: 'Show less' }).click()
  expect((await long.locator('pre').innerText()).split('\n')).toHaveLength(10)

  await short.hover()
  await short.getByRole('button', { name: 'Copy output' }).click()
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toMatch(/^red\n1\n2\n/)
})

test('[WEB7] whose run it is can be told: a person’s, the model’s, typed, private', async () => {
  const session = await world.server.session()
  const { page, say, run, sees } = await visit(world.server, { session: session.id })
  await say('!!echo secretly')
  await sees(run('!!echo secretly').getByText('private', { exact: true }))
  world.model.say('Let me see.\n\n<shell>pwd</shell>', 'Here we are.')
  await say('where are we?')
  await sees('Here we are.')
  await sees(run(/^🖥 pwd — /).getByText('model', { exact: true }))
  await page.locator('.xterm-helper-textarea').focus()
  await page.keyboard.type('echo by hand\n')
  await sees(run(/^🖥 echo by hand — /).getByText('typed', { exact: true }))
  await page.getByRole('switch', { name: 'private' }).click()
  await sees('Private from here on')
  await say('!echo hidden')
  await sees(run('echo hidden').getByText('private', { exact: true }))
  expect(JSON.stringify(world.model.requests)).not.toContain('secretly')
})

test('[TERMWEB11] a flood of 50 MB leaves the page answering', async () => {
  const session = await world.server.session()
  const { page, say, run, sees, composer } = await visit(world.server, { session: session.id })
  await say('!yes 0123456789012345678901234567890123456789 | head -c 50000000; echo; echo flooded')
  await sees(run('⏳ Running...'))
  await composer.pressSequentially('still here')
  expect(await composer.inputValue()).toBe('still here')
  await composer.fill('')
  await sees(run(/— .*✓/))
  await session.until('run_end')
  const rows = await page.locator('.row').count()
  expect(rows).toBeLessThan(10)
})
