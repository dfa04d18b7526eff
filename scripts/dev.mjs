// `npm run dev`: rebuilds on every change of the sources and replaces the running server; shells and
// their runs live on in their holders.
import { spawn, spawnSync } from 'node:child_process'
import { watch } from 'node:fs'
import { join } from 'node:path'

const root = new URL('..', import.meta.url).pathname
const settleMs = 100
let server = null
let timer = null

function restart() {
  const build = spawnSync(process.execPath, [join(root, 'scripts/build.mjs')], { stdio: 'inherit' })
  if (build.status !== 0) return
  server = spawn(process.execPath, [join(root, 'dist/cli.js'), 'serve', '--replace'], {
    stdio: 'inherit',
  })
}

for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => {
    server?.kill(signal)
    process.exit(0)
  })
watch(join(root, 'src'), { recursive: true }, () => {
  clearTimeout(timer)
  timer = setTimeout(restart, settleMs)
})
restart()
