// `npm run models`: warns of entries of the dated table of models that are past their announced end. Never fails.
import { rolldown } from 'rolldown'

const input = new URL('../src/server/model/list/known-models.ts', import.meta.url).pathname
const bundle = await rolldown({ input, platform: 'node' })
const { output } = await bundle.generate({ format: 'esm' })
await bundle.close()
const { endedWarnings } = await import(
  `data:text/javascript;base64,${Buffer.from(output[0].code).toString('base64')}`
)
for (const warning of endedWarnings(new Date().toISOString().slice(0, 10)))
  console.warn(`warning: ${warning}`)
