import { z } from 'zod'
import { Dialect } from './epoch.ts'
import { ApprovalMode } from './session.ts'

const seconds = z.number().min(0).max(86_400)

/** What a configuration file may say. Times are in seconds, as people write them; 0 means none. */
export const ConfigFile = z.strictObject({
  $schema: z.string().optional(),
  model: z.string().min(1).optional().describe('provider/name, such as demo/offline'),
  baseUrl: z.url().optional().describe('the address of an OpenAI-compatible server, up to /v1'),
  dialect: Dialect.optional().describe('how a model asks for commands: tags or tools'),
  strictAlternation: z
    .boolean()
    .optional()
    .describe('for servers that want user and assistant strictly in turn'),
  port: z.number().int().min(0).max(65_535).optional().describe('the port to listen on; 0 = any'),
  shell: z.string().min(1).optional().describe('the shell to start; default: $SHELL, else bash'),
  shellStartSeconds: seconds
    .optional()
    .describe('how long a new shell may take to its first prompt before what it does is shown'),
  approval: ApprovalMode.exclude(['refuse']).optional(),
  stepsPerTurn: z.number().int().min(1).max(1_000).optional(),
  modelRunSeconds: seconds.optional().describe('how long a model’s command may run'),
  personSilenceSeconds: seconds.optional().describe('how long your own command may be silent'),
  oneShotSeconds: seconds.optional(),
  processes: z
    .number()
    .int()
    .min(0)
    .max(1_000_000)
    .optional()
    .describe(
      'how many processes and threads a shell may have at once; where no control group can be made, all of yours count',
    ),
  memoryMegabytes: z
    .number()
    .int()
    .min(0)
    .max(100_000_000)
    .optional()
    .describe(
      'how much memory what runs in a shell may use; where no control group can be made, each process by itself',
    ),
  idleMinutes: z.number().min(0).max(10_000).optional().describe('a server nobody uses ends after'),
  sessionIdleMinutes: z
    .number()
    .min(0)
    .max(10_000)
    .optional()
    .describe('a session nobody uses leaves memory after; 0 = never'),
})
export type ConfigFile = z.infer<typeof ConfigFile>
