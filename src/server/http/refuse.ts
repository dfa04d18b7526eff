import { STATUS_CODES, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { ErrorBody, Refusal, RefusalCode } from '../../protocol/http/refusal.ts'

/** A refusal on its way out. `status` is for what HTTP tells finer than our codes do. */
export interface No {
  refusal: Refusal
  status?: number
  headers?: Readonly<Record<string, string>>
}

function render({ refusal, status = statusOf(refusal.code), headers }: No) {
  const body: ErrorBody = { error: refusal }
  return {
    status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
      ...(status === 503 ? { 'retry-after': '1' } : {}),
      ...headers,
    },
    body: JSON.stringify(body),
  }
}

export function refusalResponse(no: No): Response {
  const { status, headers, body } = render(no)
  return new Response(body, { status, headers })
}

export function writeRefusal(outgoing: ServerResponse, no: No): void {
  const { status, headers, body } = render(no)
  outgoing.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body)
}

/** For a connection that has no response object: a broken request, or an upgrade. It ends here. */
export function endWithRefusal(socket: Duplex, no: No): void {
  if (!socket.writable) return void socket.destroy()
  const { status, headers, body } = render(no)
  const all: Record<string, string | number> = {
    ...safetyHeaders,
    ...headers,
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${body}`)
  // The peer may never close its half; what it still sends is not read.
  socket.once('finish', () => socket.destroy())
}

/** Every no as HTTP says it; a new code breaks the build here. */
const statuses: Record<RefusalCode, number> = {
  bad_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  unknown_ask: 404,
  unknown_rule: 404,
  unknown_team: 404,
  unknown_repo: 404,
  unknown_skill: 404,
  unknown_task: 404,
  method_not_allowed: 405,
  already_answered: 409,
  bad_scope: 409,
  no_turn: 409,
  no_run: 409,
  not_waiting: 409,
  not_driver: 409,
  terminal_busy: 409,
  secret_awaited: 409,
  secret_suspected: 409,
  bad_task: 409,
  taken: 409,
  key_reused: 409,
  session_closed: 410,
  payload_too_large: 413,
  too_large: 413,
  unsupported_media_type: 415,
  empty_input: 422,
  bad_command: 422,
  unknown_command: 422,
  local_command: 422,
  bad_usage: 422,
  bad_model: 422,
  bad_mode: 422,
  nothing_to_change: 422,
  bad_workspace: 422,
  bad_repo: 422,
  bad_folder: 422,
  too_many: 422,
  internal: 500,
  shell_failed: 500,
  damaged: 500,
  queue_full: 503,
  busy: 503,
  store_busy: 503,
  overloaded: 503,
  disk_full: 507,
  read_only: 507,
}

export function statusOf(code: RefusalCode): number {
  return statuses[code]
}

/** On every answer, documents and API alike. There is no CORS header, on purpose. */
export const safetyHeaders = {
  'content-security-policy':
    "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
} as const

/** A page of ours may use this and no more: its own scripts and styles, its own server, nothing else. */
export function documentPolicy(port: number): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    // The terminal writes its measures and colours into style elements of its own.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    `connect-src 'self' ws://127.0.0.1:${port} ws://localhost:${port}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    // The page makes no markup from text anywhere, so there is no policy to be tricked.
    "trusted-types 'none'",
  ].join('; ')
}
