// Bundles the entries into dist/: a tiny cli, and the parts it starts or loads when they are needed.
import { chmod, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { buildReact } from './build-react.mjs'
import { declarationsOf } from './build-types.mjs'
import { buildWeb } from './build-web.mjs'
import { bundleProduct } from './bundle.mjs'

const root = new URL('..', import.meta.url)
const at = (path) => new URL(path, root).pathname

// Made beside and swapped in whole: what runs from the old one meanwhile finds every part of it.
const fresh = await mkdtemp(at('dist-'))
await bundleProduct(fresh)
await chmod(`${fresh}/cli.js`, 0o755)
await writeFile(`${fresh}/index.d.ts`, await declarationsOf(at('src/index.ts')))
await buildReact(fresh)
await buildWeb(`${fresh}/web`)
const old = `${fresh}.old`
await rename(at('dist'), old).catch(() => undefined)
await rename(fresh, at('dist'))
await rm(old, { recursive: true, force: true })
await chmod(at('dist'), 0o755)
