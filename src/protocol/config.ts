import { z } from 'zod'
import { ApprovalMode } from './session.ts'

const seconds = z.number().min(0).max(86_400)

/** What a configuration file may say. Times are in seconds, as people write them; 0 means none. */
export const ConfigFile = z.strictObject({
  $schema: z.string().optional(),
  model: z.string().min(1).optional().describe('provider/name, such as demo/offline'),
  baseUrl: z.url().optional().describe('the address of an OpenAI-compatible server, up to /v1'),
  port: z.number().int().min(0).max(65_535).optional().describe('the port to listen on; 0 = any'),
  shell: z.string().min(1).optional().describe('the shell to start; default: $SHELL, else bash'),
  approval: ApprovalMode.exclude(['refuse']).optional(),
  stepsPerTurn: z.number().int().min(1).max(1_000).optional(),
  modelRunSeconds: seconds.optional().describe('how long a model’s command may run'),
  personSilenceSeconds: seconds.optional().describe('how long your own command may be silent'),
  oneShotSeconds: seconds.optional(),
  idleMinutes: z.number().min(0).max(10_000).optional().describe('a server nobody uses ends after'),
})
export type ConfigFile = z.infer<typeof ConfigFile>
