import { spawn } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** A program that ran, where, and with which arguments. */
export interface Ran {
  folder: string
  words: readonly string[]
}

/** Programs that stay what they are, so that what they run is seen. */
const real = ['env', 'timeout', 'nice', 'xargs', 'bash', 'sh']

/**
 * One shell that runs many programs, each apart. Every name that it finds is a stub, which only tells that it was
 * called; those that are asked for often are functions, which need no process.
 */
export function stubbedShell(
  folder: string,
  { name: shellName, names, cwd }: { name: 'bash' | 'zsh'; names: readonly string[]; cwd: string },
) {
  const bin = join(folder, 'bin')
  const log = join(folder, 'ran')
  mkdirSync(bin)
  writeFileSync(log, '')
  for (const name of names) {
    const path = join(bin, name)
    writeFileSync(
      path,
      `#!/bin/sh\nprintf '%s\\0' "$(($# + 1))" "$PWD" '${name}' "$@" >>'${log}'\n`,
    )
    chmodSync(path, 0o755)
  }
  for (const name of real) symlinkSync(join('/usr/bin', name), join(bin, name))
  const functions = names
    .filter((name) => /^\w+$/.test(name))
    .map(
      (name) =>
        `${name}() { builtin printf '%s\\0' "$(($# + 1))" "$PWD" ${name} "$@" >>'${log}'; }`,
    )
  const script = `${functions.join('\n')}
    builtin cd '${cwd}'
    while IFS= builtin read -r -d '' __program; do
      ( builtin eval "$__program" ) </dev/null >/dev/null 2>&1 3<&-
      builtin printf '.\\n'
    done`
  const flags = shellName === 'bash' ? ['--norc', '--noprofile'] : ['-f']
  const shell = spawn(join('/usr/bin', shellName), [...flags, '-c', script], {
    env: { PATH: bin, HOME: folder, LC_ALL: 'C.UTF-8' },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const answers = createInterface({ input: shell.stdout })[Symbol.asyncIterator]()
  return {
    /** Runs a program and says which stubs were called. */
    async run(program: string): Promise<readonly Ran[]> {
      shell.stdin.write(`${program}\0`)
      const { done } = await answers.next()
      if (done === true) throw new Error(`the shell ended with: ${program}`)
      const told = readFileSync(log, 'utf8')
      if (told === '') return []
      truncateSync(log)
      return readRan(told)
    },
    async end(): Promise<void> {
      shell.stdin.end()
      if (shell.exitCode === null) await once(shell, 'exit')
    },
  }
}

function readRan(told: string): readonly Ran[] {
  const fields = told.split('\0')
  const all: Ran[] = []
  for (let at = 0; at + 1 < fields.length;) {
    const count = Number(fields[at])
    all.push({ folder: fields[at + 1] ?? '', words: fields.slice(at + 2, at + 2 + count) })
    at += 2 + count
  }
  return all
}
