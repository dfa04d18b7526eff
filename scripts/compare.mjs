// `node scripts/compare.mjs OLD_COMMIT [GROUP…]`: the benchmarks of an old commit and of this folder in
// turn, three times each; medians, and what got worse by more than a tenth.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = new URL('..', import.meta.url).pathname
const rounds = 3
const tolerated = 1.1
/** Rows that tell of the machine and not of us: how far to trust the others. */
const isOfMachine = (what) => /(bare pipe to bash, p50|spawning bash)$/.test(what)
const [commit, ...groups] = process.argv.slice(2)

function run(command, args, cwd) {
  return execFileSync(command, args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

function checkOut(folder) {
  run('git', ['clone', '--quiet', '--no-checkout', root, folder])
  run('git', ['checkout', '--quiet', '--detach', commit], folder)
  const lockIn = (of) => readFileSync(join(of, 'package-lock.json'), 'utf8')
  const linked =
    lockIn(root) === lockIn(folder) &&
    spawnSync('cp', ['-al', join(root, 'node_modules'), folder]).status === 0
  if (linked) {
    // What is written later must not be one file in both.
    for (const name of ['.cache', '.vite', '.vite-temp'])
      rmSync(join(folder, 'node_modules', name), { recursive: true, force: true })
  } else {
    rmSync(join(folder, 'node_modules'), { recursive: true, force: true })
    run('npm', ['ci'], folder)
  }
}

/**
 * The figures of a printed table, by what they are of. What stands beside a figure and is one of ours
 * too (`7.6 × pipe`, `p50 12 ms`) is a row of its own: a ratio and a median are quieter than the figure.
 */
function figuresIn(printed) {
  const rows = new Map()
  let group = ''
  for (const line of printed.split('\n')) {
    const row = /^( *)(\S.*?) {2,}(-?[\d.]+) (ms|×|%|MB|KB|bytes)(?: {2}(.*))?$/.exec(
      line.trimEnd(),
    )
    if (row === null) continue
    const [, indent, words, figure, unit, beside = ''] = row
    if (indent === '') group = words
    const what = indent === '' ? words : `${group.split(':')[0]} / ${words}`
    const isMoreBetter = beside.includes('≥')
    rows.set(what, { figure: Number(figure), unit, isMoreBetter })
    for (const [, ratio, to] of beside.matchAll(/([\d.]+) × (pipe|spawn)/g))
      rows.set(`${what}, × ${to}`, { figure: Number(ratio), unit: '×', isMoreBetter })
    for (const [, value] of beside.matchAll(/p50 ([\d.]+) ms/g))
      rows.set(`${what}, p50`, { figure: Number(value), unit: 'ms', isMoreBetter: false })
  }
  return rows
}

function median(samples) {
  return [...samples].sort((a, b) => a - b)[Math.floor(samples.length / 2)]
}

/** Above one is worse. Shares of a hundred are near zero, so their difference is taken. */
function worsening({ unit, isMoreBetter }, before, after) {
  if (unit === '%') return 1 + (after - before) / 100
  return isMoreBetter ? before / after : after / before
}

function report(sides) {
  const [old, current] = sides
  const samplesOf = ({ runs }, what) =>
    runs.flatMap((rows) => (rows.has(what) ? [rows.get(what).figure] : []))
  let worse = 0
  for (const [what, row] of current.runs[0]) {
    const before = samplesOf(old, what)
    const after = samplesOf(current, what)
    if (before.length === 0) {
      console.log(`${what}: new, ${median(after)} ${row.unit}`)
      continue
    }
    const factor = worsening(row, median(before), median(after))
    const isWorse = factor > tolerated && !isOfMachine(what)
    if (isWorse) worse += 1
    console.log(
      `${isWorse ? 'WORSE ' : '      '}${factor.toFixed(2)}  ${what}: ${median(before)} → ${median(after)} ${row.unit}  (${before.join(', ')} → ${after.join(', ')})`,
    )
  }
  for (const what of old.runs[0].keys())
    if (!current.runs[0].has(what)) console.log(`${what}: not measured any more`)
  console.log(`\n${worse} rows worse by more than ${Math.round((tolerated - 1) * 100)} %`)
  return worse
}

if (commit === undefined) {
  console.error('Which commit is the old one? node scripts/compare.mjs OLD_COMMIT [GROUP…]')
  process.exit(2)
}
const folder = mkdtempSync(join(tmpdir(), 'tandem-compare-'))
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
checkOut(folder)
const sides = [
  { name: commit, folder, runs: [] },
  { name: 'here', folder: root, runs: [] },
]
for (let round = 0; round < rounds; round += 1)
  // Who begins changes, in case that the first or the second is at an advantage.
  for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
    console.log(`round ${round + 1} of ${rounds}: ${side.name}`)
    const printed = run('node', ['scripts/bench.mjs', 'main', ...groups], side.folder)
    side.runs.push(figuresIn(printed))
  }
process.exit(report(sides) > 0 ? 1 : 0)
