import { join } from 'node:path'
import { defineConfig, type Plugin } from 'vite'
import { silentRoutes } from './scripts/silent-routes.mjs'

/**
 * zod for a page. What writes JSON Schema stays out: only the server describes schemas, and these two
 * modules are a sixth of what zod weighs. And it never tries to make code from text, which the page's
 * policy forbids: the setting has to be there before the first schema is made.
 */
const zodForPages: Plugin = {
  name: 'zod-for-pages',
  enforce: 'pre',
  transform(code, id) {
    if (id.endsWith('zod/v4/core/core.js'))
      return `(globalThis.__zod_globalConfig ??= {}).jitless = true\n${code}`
    if (!/zod\/v4\/core\/(json-schema-processors|to-json-schema)\.js$/.test(id)) return undefined
    const names = code.matchAll(/^export (?:const|function) (\w+)/gm)
    // Some are called once to make a method of every schema; none of those methods is called.
    return [...names].map(([, name]) => `export const ${name} = () => undefined`).join('\n')
  },
}

/** What every piece of the page needs is one file: in small ones the same words would be packed again and again. */
const base =
  /src\/(protocol|client\/store|client\/keep|view\/fold)|node_modules\/(zod|react|react-dom|scheduler|virtua)\//

/** `npm run build` calls this; there is no development server, `npm run dev` rebuilds. */
export default defineConfig({
  root: join(import.meta.dirname, 'src/web'),
  base: '/',
  plugins: [zodForPages, silentRoutes],
  // oxc reads JSX by itself; a plugin would only add hot reloading.
  oxc: { jsx: { runtime: 'automatic' } },
  build: {
    target: 'es2023',
    modulePreload: { polyfill: false },
    // An inlined asset would be one that the page's policy forbids.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1_000,
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ name: 'base', test: base }] } },
      onLog(level, log, handle) {
        // `'use client'` says nothing to a bundle that only ever runs in a browser.
        if (log.code === 'MODULE_LEVEL_DIRECTIVE' || log.message.includes('zod/v4')) return
        handle(level, log)
      },
    },
  },
})
