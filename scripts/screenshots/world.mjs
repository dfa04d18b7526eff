// A person's home with two small repositories, and a server of its own in it.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'

/** The same in every run, because it is shown. */
const home = join(tmpdir(), 'ada')
export const clock = '2026-03-02T10:24:05Z'

const files = {
  '.bashrc': "PS1='\\[\\e[36m\\]\\w\\[\\e[0m\\] $ '\nunset PROMPT_COMMAND\n",
  '.gitconfig': '[user]\n  name = Ada\n  email = ada@example.org\n[init]\n  defaultBranch = main\n',
  'shop/README.md': '# Shop\n\nPrices, carts, and a small page to try them.\n',
  'shop/package.json':
    '{ "name": "shop", "type": "module", "scripts": { "test": "node test.js" } }\n',
  'shop/price.js': 'export const total = (cents, rate) => cents + Math.floor(cents * rate)\n',
  'shop/cart.js': 'export const add = (cart, item) => [...cart, item]\n',
  'shop/test.js': `import { total } from './price.js'
const cases = [[100, 0.19, 119], [250, 0.07, 268], [999, 0.19, 1189]]
let failed = 0
for (const [cents, rate, wanted] of cases) {
  const got = total(cents, rate)
  if (got === wanted) console.log(\`\\x1b[32m✓\\x1b[0m \${cents} at \${rate} is \${wanted}\`)
  else {
    failed += 1
    console.log(\`\\x1b[31m✗ \${cents} at \${rate}\\x1b[0m: expected \\x1b[32m\${wanted}\\x1b[0m, got \\x1b[31m\${got}\\x1b[0m\`)
  }
}
console.log(\`\\x1b[1m\${cases.length - failed} passed, \${failed} failed\\x1b[0m\`)
process.exit(failed ? 1 : 0)
`,
  'shop/serve.js': `const line = (time, text) => console.log(\`\\x1b[2m10:24:\${time}\\x1b[0m \${text}\`)
console.log('\\x1b[1mshop\\x1b[0m is at \\x1b[36mhttp://localhost:4000\\x1b[0m, \\x1b[2mCtrl+C ends it\\x1b[0m\\n')
line('31', '\\x1b[32mGET\\x1b[0m  /            200  4 ms')
line('31', '\\x1b[32mGET\\x1b[0m  /cart.js     200  1 ms')
line('33', '\\x1b[35mPOST\\x1b[0m /cart        201  7 ms')
line('40', '\\x1b[32mGET\\x1b[0m  /checkout    \\x1b[33m302\\x1b[0m  2 ms')
setInterval(() => {}, 60_000)
`,
  'api/Makefile':
    'test:\n\t@echo "checking 14 routes"\n\t@echo "GET /orders: 500, expected 200" >&2; exit 2\n',
  'api/README.md': '# API\n',
}

function git(folder, ...args) {
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    GIT_AUTHOR_DATE: clock,
    GIT_COMMITTER_DATE: clock,
  }
  execFileSync('git', args, { cwd: join(home, folder), env })
}

export async function startWorld({ model, root }) {
  await mkdir(home).catch(() => {
    throw new Error(`${home} is there already: another run, or what one left behind`)
  })
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(home, path)), { recursive: true })
    await writeFile(join(home, path), text)
  }
  for (const repo of ['shop', 'api']) {
    git(repo, 'init', '-q')
    git(repo, 'add', '.')
    git(repo, 'commit', '-qm', repo === 'shop' ? 'Prices and carts' : 'Routes')
  }
  await writeFile(
    join(home, 'shop/cart.js'),
    'export const add = (cart, item) => cart.concat(item)\n',
  )
  await writeFile(join(home, 'shop/notes.md'), '- ask about rounding\n')
  /** How far the machine's clock, which the shells have, is from the story's. */
  const aheadMs = Date.now() - Date.parse(clock)
  const child = spawn(process.execPath, [join(root, 'dist/server.js'), '--detached'], {
    cwd: join(home, 'shop'),
    env: {
      PATH: process.env.PATH,
      HOME: home,
      LANG: 'C.UTF-8',
      SHELL: '/bin/bash',
      TANDEM_BASE_URL: model.baseUrl,
      TANDEM_MODEL: 'openai-compatible/qwen3-coder',
      TANDEM_SHOTS_CLOCK: clock,
      NODE_OPTIONS: `--import=${join(root, 'scripts/screenshots/fixed-clock.mjs')}`,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(createInterface(child.stdout), 'line')
  const { url, token } = JSON.parse(line)

  async function call(method, path, body) {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`)
    return answer.json()
  }

  return {
    home,
    aheadMs,
    call,
    async close() {
      const exit = once(child, 'exit')
      await call('POST', '/v1/shutdown', { shells: 'end' })
      await exit
      await rm(home, { recursive: true })
    },
  }
}
