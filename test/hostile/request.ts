import { request as send } from 'node:http'
import { expect } from 'vitest'
import { ErrorBody } from '../../src/protocol/http/refusal.ts'
import { answerMs, expectClean, type Witness } from './witness.ts'

/** A request as it goes over the wire. */
export interface Row {
  name: string
  method: string
  path: string
  /** As they are sent, name and value in turn. */
  headers: readonly string[]
  body?: string | Buffer
  /** The length that is announced of a body that never comes. */
  announced?: number
  /** Shape and rights are fine: any answer will do that is not a fault of ours and changes nothing. */
  isLegal?: boolean
  /** The one code that is right. */
  code?: string
}

export interface Answer {
  status: number
  body: string
}

export function headersOf(witness: Witness, ...more: string[]): readonly string[] {
  const { server } = witness
  const { host } = new URL(server.url)
  return ['Host', host, 'Authorization', `Bearer ${server.token}`, ...more]
}

export const json = ['Content-Type', 'application/json']

/** The answer to one row; a stream is left when it begins. */
export function ask(witness: Witness, row: Row): Promise<Answer> {
  const { hostname, port } = new URL(witness.server.url)
  const { method, path, body, announced } = row
  const length = announced ?? (body === undefined ? null : Buffer.byteLength(body))
  const headers = [
    ...row.headers,
    ...(length === null ? [] : ['Content-Length', String(length)]),
    'Connection',
    'close',
  ]
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(answerMs)
    const asked = send({ hostname, port, method, path, headers, setHost: false, signal })
    asked.on('response', (answer) => {
      const { statusCode: status = 0 } = answer
      const finish = (text: string) => {
        resolve({ status, body: text })
        asked.destroy()
      }
      if (answer.headers['content-type']?.startsWith('text/event-stream')) return finish('')
      const pieces: Buffer[] = []
      answer.on('data', (piece: Buffer) => pieces.push(piece))
      answer.on('end', () => finish(Buffer.concat(pieces).toString('utf8')))
      answer.on('error', reject)
    })
    asked.on('error', (error) => reject(new Error(`${row.name}: no answer`, { cause: error })))
    if (announced === undefined) asked.end(body)
    else asked.flushHeaders()
  })
}

/** Sends the rows side by side, and holds every answer to the rule of errors. */
export async function askAll(witness: Witness, rows: readonly Row[]): Promise<void> {
  const waiting = [...rows]
  const lane = async () => {
    for (let row = waiting.shift(); row !== undefined; row = waiting.shift())
      expectRefused(witness, row, await ask(witness, row))
  }
  await Promise.all(Array.from({ length: 8 }, lane))
}

export function expectRefused(witness: Witness, row: Row, { status, body }: Answer): void {
  const said = `${row.name}: ${status} ${body.slice(0, 500)}`
  expect.soft(status, said).toBeLessThan(500)
  if (row.isLegal === true && status < 400) return
  expect.soft(status, said).toBeGreaterThanOrEqual(400)
  if (row.method === 'HEAD') return
  const error = ErrorBody.strict().safeParse(parsed(body))
  expect.soft(error.success, `${said}: not {error:{code,message}}`).toBe(true)
  if (row.code !== undefined) expect.soft(error.data?.error.code, said).toBe(row.code)
  expectClean(body, witness.server, row.name)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
