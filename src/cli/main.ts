#!/usr/bin/env node
import process from 'node:process'

// Nothing is imported here that a quick answer does not need: every command brings its own.
const args = process.argv.slice(2)
const first = args[0]
const helpWords = new Set(['--help', '-h', 'help'])

/** A reader who has enough of our output is no failure. */
function endOnBrokenPipe(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(0)
}

/** Output that found no room is lost, and that is one. */
function endUnwritten(error: NodeJS.ErrnoException): void {
  endOnBrokenPipe(error)
  process.stderr.write(`tandem: cannot write the output: ${error.message}\n`, () => process.exit(1))
}
process.stdout.on('error', endUnwritten)
process.stderr.on('error', (error) => {
  endOnBrokenPipe(error)
  process.exit(1)
})

async function main(): Promise<number> {
  if (args.length === 1 && (first === '--version' || first === '-V')) {
    process.stdout.write(`${TANDEM_VERSION}\n`)
    return 0
  }
  if (first === undefined || helpWords.has(first)) {
    const { helpText } = await import('./help.ts')
    process.stdout.write(helpText)
    return 0
  }
  const [{ runProgram }, { processIo }] = await Promise.all([
    import('./program.ts'),
    import('./io.ts'),
  ])
  const serverEntry = new URL('server.js', import.meta.url).pathname
  return runProgram(args, () => processIo(serverEntry))
}

/** A bug of ours; the person still gets a sentence. */
function onFault(error: unknown): void {
  process.stderr.write(`tandem: this should not happen: ${String(error)}\n`, () => process.exit(1))
}
process.on('uncaughtException', onFault)

// A pipe may still hold what was written; the empty write comes after it.
main().then((code) => {
  // A command that failed before has its own end.
  process.stdout.write('', (error) => error ?? process.exit(code))
}, onFault)
