import type { RefusalCode } from '../../protocol/refusal.ts'

/** Every no as HTTP says it; a new code breaks the build here. */
const statuses: Record<RefusalCode, number> = {
  bad_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  unknown_ask: 404,
  unknown_team: 404,
  unknown_repo: 404,
  unknown_skill: 404,
  unknown_task: 404,
  method_not_allowed: 405,
  already_answered: 409,
  no_turn: 409,
  no_run: 409,
  not_waiting: 409,
  not_driver: 409,
  bad_task: 409,
  taken: 409,
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
  nothing_to_change: 422,
  bad_workspace: 422,
  bad_repo: 422,
  bad_folder: 422,
  too_many: 422,
  internal: 500,
  shell_failed: 500,
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
