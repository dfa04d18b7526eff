// The page: bundled by Vite, compressed once here instead of at every request, and kept by what it
// was made from, so that a build without a change to it costs nothing.
import { createHash } from 'node:crypto'
import {
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const root = new URL('..', import.meta.url).pathname
const cache = join(root, '.cache', 'web')
const madeFrom = ['src/web', 'src/client', 'src/view', 'src/log', 'src/protocol', 'src/base']
const kept = 3

/** Builds the page into a folder that does not exist yet. */
export async function buildWeb(target) {
  const made = join(cache, await fingerprint())
  if (!(await isThere(made))) await make(made)
  await cp(made, target, { recursive: true })
  await forgetOld(made)
}

async function fingerprint() {
  const hash = createHash('sha256')
  const files = [
    'package-lock.json',
    'scripts/build-web.mjs',
    'scripts/silent-routes.mjs',
    'vite.config.ts',
  ]
  for (const folder of madeFrom) files.push(...(await filesBelow(folder)))
  for (const file of files.filter((path) => !path.includes('.test.')).sort())
    hash.update(`${file}\0`).update(await readFile(join(root, file)))
  return hash.digest('hex').slice(0, 16)
}

async function filesBelow(folder) {
  const entries = await readdir(join(root, folder), { withFileTypes: true, recursive: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
}

async function make(made) {
  await mkdir(cache, { recursive: true })
  const fresh = await mkdtemp(join(cache, 'new-'))
  await chmod(fresh, 0o755)
  // A test run says `test` here, and would get React's slow build.
  process.env.NODE_ENV = 'production'
  const { build } = await import('vite')
  await build({
    configFile: join(root, 'vite.config.ts'),
    build: { outDir: fresh, emptyOutDir: true },
    logLevel: 'warn',
  })
  for (const entry of await readdir(fresh, { withFileTypes: true, recursive: true }))
    if (entry.isFile() && /\.(js|css|html|svg|json)$/.test(entry.name))
      await compress(join(entry.parentPath, entry.name))
  // Another build may have been first; its result is the same.
  await rename(fresh, made).catch(() => rm(fresh, { recursive: true, force: true }))
}

async function compress(file) {
  const bytes = await readFile(file)
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
  await writeFile(`${file}.br`, brotliCompressSync(bytes, { params }))
  await writeFile(`${file}.gz`, gzipSync(bytes, { level: 9 }))
}

async function isThere(folder) {
  return readFile(join(folder, 'index.html')).then(
    () => true,
    () => false,
  )
}

/** A few are kept for going back and forth; `new-…` of a build that died goes with them. */
async function forgetOld(made) {
  const all = await Promise.all(
    (await readdir(cache)).map(async (name) => {
      const path = join(cache, name)
      return {
        path,
        at: await stat(path).then(
          ({ mtimeMs }) => mtimeMs,
          () => 0,
        ),
      }
    }),
  )
  const old = all.filter(({ path }) => path !== made).sort((a, b) => b.at - a.at)
  const hourAgo = Date.now() - 3_600_000
  const stale = old.filter(({ path, at }, i) =>
    path.includes('new-') ? at < hourAgo : i >= kept && at < hourAgo,
  )
  for (const { path } of stale) await rm(path, { recursive: true, force: true })
}
