import { test } from 'vitest'
import { startShell, text } from '/work/main/test/terminal/support/temp-shell.ts'
test('dbg', async () => {
  for (let r=0;r<3;r++) {
  const own = await startShell({ bashrc: process.env.RC ?? '' })
  const codes: Record<string, number> = {}; let slow = 0
  for (let i=0;i<150;i++) { const t=performance.now(); const e = await own.run(`echo 'open`); codes[`${e.exitCode}`] = (codes[`${e.exitCode}`]??0)+1; if (performance.now()-t>120) slow++ }
  for (let i=0;i<150;i++) { const t=performance.now(); const p = own.run(`echo on; sleep 100`, {onOutput(x) {if (x.includes('on')) void own.terminal.interrupt('int')}}); const e = await p; codes[`s${e.exitCode}`] = (codes[`s${e.exitCode}`]??0)+1; if (performance.now()-t>120) slow++ }
  console.log(JSON.stringify(codes), slow)
  await own.close()
  }
})
