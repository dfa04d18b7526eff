import { readFileSync } from 'node:fs'
import { skillProgram } from './program.ts'
import { readPlace } from './place-file.ts'

// The launcher names the file with the workspace; the rest is what was typed.
const [placeFile = '', ...words] = process.argv.slice(2)
const place = readPlace(() => readFileSync(placeFile, 'utf8'))
if (place === null) {
  process.stderr.write('skill: this session is gone. Start a new shell in Tandem.\n')
  process.exitCode = 1
} else {
  const { out, err, code } = await skillProgram(words, place)
  process.stdout.write(out)
  process.stderr.write(err)
  process.exitCode = code
}
