import type { Call } from '../calls/call.ts'
import { judgeSedScript } from '../calls/scripts.ts'
import { effect, type Effect } from '../effect.ts'
import { acts } from '../programs/codes.ts'
import { readCall } from '../programs/read-call.ts'
import { spec, type Spec } from '../programs/spec.ts'
import type { Argument } from '../syntax/argument.ts'
import { copies } from './copies.ts'
import { type How, writesFile } from './write-path.ts'

/** Programs that write files, with the options that change nothing about where. */
const writers: ReadonlyMap<string, Spec> = new Map(
  Object.entries({
    mkdir: spec({ flags: '-p -v --parents --verbose', isTame: false }),
    touch: spec({ flags: '-c --no-create', isTame: false }),
    tee: spec({ flags: '-a --append', isTame: false }),
    gofmt: spec({ flags: '-w -l -s', isTame: false }),
    sed: spec({
      flags: '-i -n -E -r -s -z --in-place --regexp-extended',
      values: '-e=script --expression=script',
      isTame: false,
    }),
  }),
)

type Writing = Pick<Call, 'judging' | 'name' | 'args' | 'place'>

/** The files that a program writes; null when it is none that is known for it. */
export function writesTo(call: Writing): readonly Effect[] | null {
  const { judging, name, args, place } = call
  if (name === 'cp' || name === 'mv') return copies(name, call)
  const rules = writers.get(name)
  if (rules === undefined) return null
  const { unknown, operands, scripts, seen } = readCall(name, args, rules)
  if (unknown !== null) return [effect('unclear', unknown)]
  if (operands.length === 0 && name !== 'tee')
    return [effect('unclear', `calls ${name} without a file`)]
  if (name === 'tee' && !place.isPiped) return [effect('terminal', 'waits for what is typed')]
  const isGiven = name !== 'sed' || scripts.length > 0
  const files = (isGiven ? operands : operands.slice(1)).filter(
    (file) => name !== 'tee' || !goesNowhere(file),
  )
  const how = howOf(name, seen)
  return [
    ...(name === 'sed' ? changesInPlace(call) : []),
    ...files.flatMap((file) => writesFile(judging, { file, place, how })),
  ]
}

/** It goes where the output goes anyhow, or nowhere. */
function goesNowhere(file: Argument): boolean {
  return file.is === 'text' && /^\/dev\/(?:null|stdout|stderr)$/.test(file.text)
}

function howOf(name: string, seen: readonly string[]): How {
  if (name === 'mkdir' || name === 'touch') return 'create'
  const isAdded = name === 'tee' && seen.some((flag) => flag === '-a' || flag === '--append')
  return isAdded ? 'add' : 'write'
}

/** The script of `sed -i`, which may write and run as any other. */
export function changesInPlace(
  { args }: Pick<Call, 'args'>,
  files: 'named' | 'listed' = 'named',
): readonly Effect[] {
  const rules = writers.get('sed')
  if (rules === undefined) return []
  const { unknown, operands, scripts } = readCall('sed', args, rules)
  // Letters behind it would be the ending of a second file.
  const isOdd = args.some((arg) => arg.is === 'text' && /^-[A-Za-z]*i[A-Za-z]/.test(arg.text))
  if (unknown !== null || isOdd) return [effect('unclear', unknown ?? 'calls sed in an odd way')]
  // A file that it names itself is none of those that were looked at.
  if (files === 'listed' && operands.length > (scripts.length > 0 ? 0 : 1))
    return [effect('unclear', 'changes files beside those that are listed')]
  return (scripts.length > 0 ? scripts : operands.slice(0, 1)).flatMap((script) =>
    script.is === 'text'
      ? // What goes into a file is not sent to the terminal.
        judgeSedScript(script.text).filter((each) => each !== acts)
      : [effect('code', 'runs a sed script that is computed')],
  )
}
