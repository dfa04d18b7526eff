import { effect, type Effect } from '../effect.ts'
import { readsFiles } from '../paths.ts'
import type { Argument } from '../syntax/argument.ts'
import type { Call, JudgeCall } from './call.ts'
import { hasAwkCodes, judgeAwkScript, judgeJqFilter, judgeSedScript } from './scripts.ts'
import { acts } from '../programs/codes.ts'
import { readCall } from '../programs/read-call.ts'
import { isDash, shows, type Spec, spec } from '../programs/spec.ts'
import { writesTo } from '../writes/writes-to.ts'

const sedSpec = spec({
  flags:
    '-n -E -r -s -u -z --quiet --silent --regexp-extended --null-data --separate --posix --sandbox',
  values: '-e=script --expression=script',
  operands: 'texts',
  isTame: false,
})
const awkSpec = spec({ values: '-F=text -v=text', operands: 'texts', isTame: false })
const jqSpec = spec({
  flags:
    '-r -c -n -e -s -S -M -C -a -j -R --raw-output --compact-output --null-input --exit-status --slurp --sort-keys --monochrome-output --color-output --ascii-output --join-output --tab --raw-input --seq --stream',
  values: '--indent=number',
  operands: 'texts',
  isTame: false,
})

/** Programs whose first operand is a script in a language of its own. */
export const filters: Readonly<Record<string, JudgeCall>> = {
  sed(call) {
    const isInPlace = call.words.some(
      (word) => word !== null && /^(?:-[nErsuz]*i|--in-place)/.test(word),
    )
    if (!isInPlace) return scripted(call, sedSpec, judgeSedScript)
    return writesTo(call) ?? []
  },
  awk: (call) => scripted(call, awkSpec, judgeAwkScript),
  gawk: (call) => scripted(call, awkSpec, judgeAwkScript),
  mawk: (call) => scripted(call, awkSpec, judgeAwkScript),
  yq: (call) => scripted(call, yqSpec, judgeYqFilter),
  jq: (call) => scripted({ ...call, args: withoutNamed(call.args) }, jqSpec, judgeJqFilter),
}

const yqSpec = spec({
  flags: '-r -C -M -N -e -c -j --raw-output --no-colors --exit-status',
  values: '-o=text --output-format=text -p=text --indent=number -I=number',
  operands: 'texts',
  isTame: false,
})

/** A path into the file, and a few words on what is there: another filter may load a file or see the environment. */
function judgeYqFilter(filter: string): readonly Effect[] {
  const path = String.raw`\.[\w.[\]"*-]*`
  const isPath = new RegExp(
    String.raw`^(?:${path}|keys|length|type)(?:\s*\|\s*(?:${path}|keys|length|type|sort))*$`,
  )
  return isPath.test(filter)
    ? []
    : [effect('code', 'runs a yq filter that may see more than its input')]
}

/** `--arg name value` gives the filter a text. */
function withoutNamed(args: readonly Argument[]): readonly Argument[] {
  const at = args.findIndex((arg) => arg.is === 'text' && /^--(?:arg|argjson)?$/.test(arg.text))
  const named = args.slice(at, at + 3)
  // After `--` all are files; and only a text is sure to be one word that may be seen.
  if (named.length < 3 || isEnd(args[at]) || !named.every(({ is }) => is === 'text')) return args
  return withoutNamed([...args.slice(0, at), ...args.slice(at + 3)])
}

function isEnd(arg: Argument | undefined): boolean {
  return arg?.is === 'text' && arg.text === '--'
}

/** To awk that is no file; nor is nothing. */
function isAssignment(file: Argument): boolean {
  return file.is === 'text' && /^(?:[A-Za-z_][\w:]*=|$)/.test(file.text)
}

/** `-v x=…` and `x=…`, in which awk reads escapes. */
function assigned(name: string, texts: readonly Argument[]): readonly Effect[] {
  const isCode = (text: Argument) =>
    text.is === 'text' && /^[A-Za-z_]\w*=/.test(text.text) && hasAwkCodes(text.text)
  return name.endsWith('awk') && texts.some(isCode) ? [acts] : []
}

function scripted(
  { judging, name, args, place }: Call,
  rules: Spec,
  judgeScript: (script: string) => readonly Effect[],
): readonly Effect[] {
  const found = readCall(name, args, rules)
  if (found.unknown !== null) return [effect('unclear', found.unknown)]
  const isGiven = found.scripts.length > 0
  const scripts = isGiven ? found.scripts : found.operands.slice(0, 1)
  const files = isGiven ? found.operands : found.operands.slice(1)
  const needsNone =
    name === 'jq' &&
    found.seen.includes('-n') &&
    scripts.every((script) => script.is === 'text' && !/\binputs?\b/.test(script.text))
  const inputs = files.filter((file) => !(name.endsWith('awk') && isAssignment(file)))
  const isFed = place.isPiped || (inputs.length > 0 && !files.some(isDash)) || needsNone
  const isTyped =
    !isFed &&
    !scripts.every(
      (script) => script.is === 'text' && /^\s*BEGIN\s*\{[^{}]*\}\s*$/.test(script.text),
    )
  return [
    ...scripts.flatMap((script) =>
      script.is === 'text'
        ? judgeScript(script.text)
        : [effect('code', `runs a ${name} script that is computed`)],
    ),
    ...found.texts.flatMap(shows),
    ...assigned(name, [...found.texts, ...files]),
    ...files.flatMap((file) => readsFiles(judging, place.cwds, file)),
    ...(isTyped ? [effect('terminal', 'waits for what is typed')] : []),
  ]
}
