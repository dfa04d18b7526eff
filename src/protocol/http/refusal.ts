import { z } from 'zod'

/** Every no a client can get, with a code that stays the same for ever. */
export const RefusalCode = z.enum([
  // of a session
  'empty_input',
  'too_large',
  'bad_command',
  'unknown_command',
  'local_command',
  'bad_usage',
  'bad_model',
  'bad_mode',
  'unknown_skill',
  'unknown_ask',
  'already_answered',
  'bad_scope',
  'unknown_rule',
  'no_turn',
  'no_run',
  'not_waiting',
  'queue_full',
  'not_driver',
  'terminal_busy',
  'secret_awaited',
  'secret_suspected',
  'nothing_to_change',
  'session_closed',
  'key_reused',
  // of a team
  'unknown_team',
  'unknown_repo',
  'unknown_task',
  'bad_repo',
  'bad_task',
  'bad_folder',
  'taken',
  'too_many',
  // of the server
  'bad_request',
  'unauthorized',
  'forbidden',
  'not_found',
  'method_not_allowed',
  'unsupported_media_type',
  'payload_too_large',
  'bad_workspace',
  'shell_failed',
  'busy',
  'store_busy',
  'disk_full',
  'read_only',
  'damaged',
  'overloaded',
  'internal',
])
export type RefusalCode = z.infer<typeof RefusalCode>

/** The typed no: what was wrong and what to do, for a person to read. */
export const Refusal = z.object({
  code: RefusalCode,
  message: z.string(),
  /** With `already_answered`: who was first. With `unknown_command`: near matches. */
  detail: z.record(z.string(), z.unknown()).optional(),
})
export type Refusal = z.infer<typeof Refusal>

/** The body of every HTTP answer that is not 2xx. */
export const ErrorBody = z.object({ error: Refusal })
export type ErrorBody = z.infer<typeof ErrorBody>
