import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { forEachChild, parse, type SyntaxNode } from 'unbash'
import { judgeNow } from '../../src/server/policy/judge-now.ts'
import { plainShell } from '../../test/support/plain-shell.ts'
import { commandsIn, createTrialFolder } from './trial-folder.ts'

/** The programs that a command calls, each with its words. */
function callsOf(command: string): readonly (readonly string[])[] {
  const calls: string[][] = []
  const visit = (node: SyntaxNode): void => {
    if (node.type === 'Command' && node.name !== undefined)
      calls.push(
        [node.name, ...node.args].map((word) =>
          'value' in word && typeof word.value === 'string' ? word.value : word.text,
        ),
      )
    forEachChild(node, visit)
  }
  visit(parse(command))
  return calls
}

/** Counts for each program how many commands that begin with it run unasked, and how many ask. */
async function main([path, flag]: readonly string[]): Promise<void> {
  if (path === undefined) {
    console.log('usage: npm run policy:corpora -- FOLDER_OR_FILE [--pairs]')
    process.exitCode = 2
    return
  }
  const files = statSync(path).isDirectory()
    ? readdirSync(path)
        .filter((name) => /\.(?:txt|tsv|jsonl)$/.test(name))
        .map((name) => join(path, name))
    : [path]
  const trial = createTrialFolder()
  const counts = new Map<string, { allowed: number; asked: number }>()
  const pairs = new Map<string, Map<string, string>>()
  for (const command of files.flatMap(commandsIn)) {
    const { decision } = await judgeNow(command, trial.facts, async () => plainShell())
    const calls = callsOf(command)
    const program = calls[0]?.[0] ?? '(none)'
    const count = counts.get(program) ?? { allowed: 0, asked: 0 }
    counts.set(program, count)
    count[decision === 'allow' ? 'allowed' : 'asked'] += 1
    if (decision !== 'allow') continue
    for (const [name = '', ...words] of calls) {
      const seen = pairs.get(name) ?? new Map<string, string>()
      pairs.set(name, seen)
      const flags = words.filter((word) => /^[-+]/.test(word))
      const verb = /^(?:git|npm|go|cargo|pip3?|ip|docker|make)$/.test(name) ? `${words[0]} ` : ''
      for (const each of flags.length > 0 ? flags : ['(no flag)'])
        if (!seen.has(verb + each)) seen.set(verb + each, command)
    }
  }
  trial.remove()
  const sorted = [...counts].toSorted(
    ([, one], [, other]) => other.allowed - one.allowed || other.asked - one.asked,
  )
  const total = { allowed: 0, asked: 0 }
  for (const [, { allowed, asked }] of sorted) {
    total.allowed += allowed
    total.asked += asked
  }
  console.log('| program | allowed | asked |\n|---|---|---|')
  for (const [program, { allowed, asked }] of [...sorted, ['all', total] as const])
    console.log(`| ${program} | ${allowed} | ${asked} |`)
  if (flag !== '--pairs') return
  for (const [name, seen] of [...pairs].toSorted(byName))
    for (const [text, command] of [...seen].toSorted(byName))
      console.log(`${name}\t${text}\t${command.replaceAll('\n', '⏎')}`)
}

const byName = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]) =>
  one < other ? -1 : 1

await main(process.argv.slice(2))
