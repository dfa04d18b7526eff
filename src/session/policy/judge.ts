import type { ApprovalMode } from '../../protocol/session.ts'
import type { Verdict } from './verdict.ts'

/** What a command is judged against, gathered at the edge. */
export interface Facts {
  approval: ApprovalMode
  workspace: string
  /** Where the shell is now; null if it could not be told. */
  cwd: string | null
  /** What the shell that it would run in was started by, if that is one inside the session's own. */
  adopted?: string | null
}

/**
 * Deliberately narrow for now: a few read-only commands of plain words run, everything else of the
 * model's asks. The full policy takes this function's place.
 */
export function judge(command: string, facts: Facts): Verdict {
  const verdict = guarded(command, facts)
  if (verdict.decision !== 'ask' || facts.approval !== 'refuse') return verdict
  return { ...verdict, decision: 'deny', reasons: [...verdict.reasons, 'nobody is here to ask'] }
}

function guarded(command: string, facts: Facts): Verdict {
  const say = (decision: Verdict['decision'], reason: string): Verdict => ({
    decision,
    reasons: [reason],
    effective: command,
  })
  if (/[\0-\x08\x0b-\x1f\x7f]/.test(command))
    return say('deny', 'it has control characters that a terminal would act on')
  if (typeof facts.adopted === 'string')
    return say('ask', `it runs in an adopted shell: ${facts.adopted}`)
  if (facts.approval === 'ask-all') return say('ask', 'this session asks before every command')
  if (!isInside(facts.cwd, facts.workspace))
    return say('ask', `the shell is outside the workspace, in ${facts.cwd ?? 'an unknown folder'}`)
  const words = command.split(' ')
  if (!words.every((word) => /^[A-Za-z0-9_][A-Za-z0-9_./-]*$|^-[A-Za-z0-9]+$/.test(word)))
    return say('ask', 'it is more than a few plain words')
  const [program = '', ...args] = words
  if (isReadOnly(program, args)) return say('allow', 'it only reads')
  return say('ask', `${program} is not on the short list of commands that only read`)
}

const argumentFree = new Set([
  'pwd',
  'whoami',
  'id',
  'uname',
  'date',
  'arch',
  'nproc',
  'uptime',
  'hostname',
  'true',
  'false',
])

function isReadOnly(program: string, args: readonly string[]): boolean {
  if (argumentFree.has(program)) return args.length === 0
  if (program === 'ls') return args.every((arg) => /^-[alhtrS1F]+$/.test(arg) || isBelow(arg))
  if (program !== 'skill') return false
  const [verb, name, ...rest] = args
  if (verb === 'list') return name === undefined
  return verb === 'show' && name !== undefined && isBelow(name) && rest.length === 0
}

function isBelow(path: string): boolean {
  return !path.startsWith('-') && !path.startsWith('/') && !path.split('/').includes('..')
}

function isInside(cwd: string | null, workspace: string): boolean {
  if (cwd === null) return false
  return cwd === workspace || cwd.startsWith(workspace.endsWith('/') ? workspace : `${workspace}/`)
}
