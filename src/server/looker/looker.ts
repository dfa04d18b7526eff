import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { z } from 'zod'
import { limits } from '../../protocol/limits.ts'
import { refused, type Result } from '../../base/result.ts'
import type { OpName, Ops } from './ops.ts'

export interface LookerOptions {
  /** The bundled program. */
  entry: string
  diagnose(message: string, error: unknown): void
  /** Ends when nobody has asked for so long. */
  idleMs?: number
}

/** A disk that has to wake up takes two seconds. */
const answerMs = 3_000
/** To list a large folder takes as long as that may take. */
const listMs = limits.listFilesMs + 1_000
const long: ReadonlySet<OpName> = new Set(['list', 'readFolder'])
const defaultIdleMs = 60_000
/** Calls that hang keep a thread each; with so many, those that do not hang still find one. */
const threads = '32'
/** A child that answers, and one that is given up but still owes answers. */
const mostAlive = 2

const silent = 'the file system does not answer'

interface Child {
  process: ChildProcessByStdio<Writable, Readable, null>
  waiting: Map<number, (line: string | null) => void>
  /** Something hangs in it: it gets no more questions. */
  isGivenUp: boolean
}

/** Looks at what lies outside the data folder, in a process that is killed when it hangs. */
export function createLooker({ entry, diagnose, idleMs = defaultIdleMs }: LookerOptions) {
  let alive: readonly Child[] = []
  let asked = 0
  let idle: NodeJS.Timeout | null = null

  function start(): Child {
    const child = spawn(process.execPath, [entry], {
      // Its own group, so that what it started goes with it.
      detached: true,
      stdio: ['pipe', 'pipe', 'ignore'],
      cwd: '/',
      // Nothing of ours, as with a holder: what it needs to know comes with the question.
      env: { ...nodeOptions(), UV_THREADPOOL_SIZE: threads },
    })
    const one: Child = { process: child, waiting: new Map(), isGivenUp: false }
    child.unref()
    child.on('error', (error) => {
      diagnose('no process that looks at files can be started', error)
      end(one)
    })
    child.on('exit', () => end(one))
    child.stdin.on('error', () => end(one))
    createInterface({ input: child.stdout }).on('line', (line) => {
      const space = line.indexOf(' ')
      one.waiting.get(Number(line.slice(0, space)))?.(line.slice(space + 1))
    })
    alive = [...alive, one]
    for (const old of alive.slice(0, -mostAlive)) end(old)
    return one
  }

  /** Its open questions are not answered any more. */
  function end(one: Child): void {
    alive = alive.filter((other) => other !== one)
    kill(one)
    for (const settle of one.waiting.values()) settle(null)
  }

  function settled(one: Child): void {
    if (one.isGivenUp && one.waiting.size === 0) end(one)
    if (idle !== null) clearTimeout(idle)
    idle = setTimeout(() => {
      for (const quiet of alive) if (quiet.waiting.size === 0) end(quiet)
    }, idleMs).unref()
  }

  function look<Op extends OpName>(
    op: Op,
    input: Ops[Op]['in'],
  ): Promise<Result<Ops[Op]['out'], string>> {
    const one = alive.find(({ isGivenUp }) => !isGivenUp) ?? start()
    const id = (asked += 1)
    return new Promise((resolve) => {
      const settle = (line: string | null) => {
        clearTimeout(late)
        if (!one.waiting.delete(id)) return
        resolve(line === null ? refused(silent) : readAnswer<Op>(line))
        settled(one)
      }
      const late = setTimeout(
        () => {
          diagnose(`a file system does not answer: ${op}`, silent)
          one.isGivenUp = true
          settle(null)
        },
        long.has(op) ? listMs : answerMs,
      )
      one.waiting.set(id, settle)
      one.process.stdin.write(`${id} ${JSON.stringify({ op, input })}\n`)
    })
  }

  return {
    look,
    close(): void {
      if (idle !== null) clearTimeout(idle)
      for (const one of alive) end(one)
    },
  }
}

const Answer = z.union([
  z.object({ ok: z.literal(true), value: z.unknown() }),
  z.object({ ok: z.literal(false), error: z.string() }),
])

/** The program of the same build wrote it, as a child of this process: the value is what the question is typed for. */
function readAnswer<Op extends OpName>(line: string): Result<Ops[Op]['out'], string> {
  const answer = z
    .custom<Result<Ops[Op]['out'], string>>((value) => Answer.safeParse(value).success)
    .safeParse(JSON.parse(line))
  return answer.success ? answer.data : refused(silent)
}

function nodeOptions(): Readonly<Record<string, string>> {
  const { NODE_OPTIONS } = process.env
  return NODE_OPTIONS === undefined ? {} : { NODE_OPTIONS }
}

function kill({ process: { pid } }: Child): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // It is gone already.
  }
}
