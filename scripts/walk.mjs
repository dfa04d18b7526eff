// `npm run walk`: the source files whose functions one warm `!git status` calls in server and holder,
// from the request to the run's end at a client. `npm run walk turn`: the same for a turn of the model with a
// command that asks, from the prompt to the turn's end. It measures a bundle of its own, not `dist`.
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { bundleProduct } from './bundle.mjs'
import { createFileFinder } from './walk/called-files.mjs'
import { startWorld } from './walk/world.mjs'

const root = new URL('..', import.meta.url).pathname
const command = 'git status'
const isTurn = process.argv[2] === 'turn'
const warmUp = 5
/** Odd, so that most of them are more than half. */
const rounds = 15
/** Nothing of ours is called for so long: what a command left to do is done. */
const quietMs = 150
const maxTries = 50
const deadlineMs = 60_000

async function bundleWithProbes(folder, probes) {
  const probe = new URL('walk/probe.mjs', import.meta.url)
  probe.searchParams.set('folder', probes)
  const banner = ({ isEntry, name }) => (isEntry ? `import '${probe}&entry=${name}'` : '')
  await bundleProduct(folder, { sourcemap: true, minify: false, banner })
}

const isSource = (file) => /^src\/.*\.ts$/.test(file)

/** Resolves when a look at all threads finds no call; a timer that fires now and then is waited out. */
async function untilQuiet(world, find) {
  for (let tries = 0; tries < maxTries; tries += 1) {
    await wait(quietMs)
    const taken = await world.take()
    if (taken.every(({ scripts }) => ![...find(scripts)].some(isSource))) return
  }
  throw new Error(`the server still works ${(maxTries * quietMs) / 1_000} s after a command`)
}

/** Entry → file → in how many of the rounds one of its functions was called. */
async function measure(world, find) {
  const session = await world.openSession()
  const run = () => (isTurn ? session.turn() : session.command(command))
  for (let n = 0; n < warmUp; n += 1) await run()
  const calls = { server: new Map(), holder: new Map() }
  for (let round = 0; round < rounds; round += 1) {
    await untilQuiet(world, find)
    await run()
    for (const { entry, scripts } of await world.take()) {
      const files = (calls[entry] ??= new Map())
      for (const file of find(scripts)) files.set(file, (files.get(file) ?? 0) + 1)
    }
  }
  return calls
}

const sorted = (names) => [...names].sort((a, b) => (a < b ? -1 : 1))

/** Whether a short command's marks arrive together is chance; what most of the rounds do counts. */
function inMost(files) {
  return sorted(files.keys()).filter((file) => files.get(file) * 2 > rounds)
}

/** The layer, and the part of the server. */
const folderOf = (file) => /^src\/(server\/[^/.]+(?=\/)|[^/]+)/.exec(file)[0]

/** The screen is drawn in threads of their own, for those who look; they are told but not counted. */
function report(calls) {
  for (const [entry, files] of Object.entries(calls)) {
    const usual = inMost(files)
    const sources = usual.filter(isSource)
    console.log(`\n${entry}: ${sources.length} files`)
    for (const file of sources) console.log(`  ${file}`)
    for (const file of sorted(files.keys()))
      if (isSource(file) && !usual.includes(file))
        console.log(`  not counted: ${file}, in ${files.get(file)} of ${rounds} commands`)
    const packages = usual.flatMap(
      (file) => /.*node_modules\/((@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? [],
    )
    const dependencies = sorted(new Set(packages))
    console.log(`  dependencies: ${dependencies.join(', ') || 'none'}`)
  }
  const server = inMost(calls.server).filter(isSource)
  const holder = inMost(calls.holder).filter(isSource)
  if (server.length === 0 || holder.length === 0) throw new Error('no call was seen')
  const total = sorted(new Set([...server, ...holder]))
  console.log('\nby folder')
  for (const folder of new Set(total.map(folderOf)))
    console.log(`  ${folder}: ${total.filter((file) => folderOf(file) === folder).length}`)
  const both = server.length + holder.length - total.length
  console.log(
    `\nserver ${server.length}, holder ${holder.length}, ${both} of them in both: ${total.length} files`,
  )
}

async function late() {
  await wait(deadlineMs, null, { ref: false })
  throw new Error(`a run’s end is missing after ${deadlineMs / 1_000} s`)
}

/** Holders outlive their server, so they are not left to the terminal’s Ctrl+C. */
function interrupted() {
  return new Promise((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM'])
      process.on(signal, () => reject(new Error('interrupted')))
  })
}

async function main() {
  const temp = await mkdtemp(join(tmpdir(), 'tandem-walk-'))
  const probes = join(temp, 'probes')
  await mkdir(probes)
  // Below the project, where the native parts are found.
  const cache = join(root, 'node_modules/.cache')
  await mkdir(cache, { recursive: true })
  const bundle = await mkdtemp(join(cache, 'tandem-walk-'))
  try {
    await bundleWithProbes(bundle, probes)
    const world = await startWorld({ temp, bundle, probes })
    try {
      const measured = measure(world, createFileFinder({ root, folder: bundle }))
      report(await Promise.race([measured, interrupted(), late()]))
      await world.close()
    } catch (error) {
      await world.kill()
      throw error
    }
  } finally {
    for (const folder of [temp, bundle]) await rm(folder, { recursive: true, force: true })
  }
}

await main().catch((error) => {
  console.error(`The walk could not be counted: ${error.message}`)
  process.exit(1)
})
