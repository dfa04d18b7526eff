import { z } from 'zod'
import { Dialect } from './events/epoch.ts'
import { ApprovalMode } from './events/approval-mode.ts'
import { Price } from './events/turn.ts'
import { ProviderConfig, ProviderName, ServerUrl } from './provider.ts'

const seconds = z.number().min(0).max(86_400)

/** A configuration file. Times are in seconds, as people write them; 0 means none. */
export const ConfigFile = z.strictObject({
  $schema: z.string().optional(),
  model: z.string().min(1).optional().describe('provider/name, such as demo/offline'),
  baseUrl: ServerUrl.optional().describe('the address of an OpenAI-compatible server, up to /v1'),
  dialect: Dialect.optional().describe('how a model asks for commands: tags or tools'),
  strictAlternation: z
    .boolean()
    .optional()
    .describe(
      'whether servers want user and assistant strictly in turn; default: compatible ones in tags',
    ),
  providers: z
    .record(ProviderName, ProviderConfig)
    .optional()
    .describe('servers of models by name; each is in the picker as name/model'),
  port: z.number().int().min(0).max(65_535).optional().describe('the port to listen on; 0 = any'),
  shell: z.string().min(1).optional().describe('the shell to start; default: $SHELL, else bash'),
  shellStartSeconds: seconds
    .optional()
    .describe('how long a new shell may take to its first prompt before what it does is shown'),
  shellKeepEnv: z
    .array(z.string().regex(/^[A-Za-z_]\w*$/, 'not the name of a variable'))
    .max(100)
    .optional()
    .describe(
      'variables that shells and commands get although the server uses them, such as OPENAI_API_KEY',
    ),
  approval: ApprovalMode.optional().describe(
    'the mode of a new session; trusted-session counts in trusted folders, elsewhere it is guarded',
  ),
  stepsPerTurn: z.number().int().min(1).max(1_000).optional(),
  modelRunSeconds: seconds.optional().describe('how long a model’s command may run'),
  personSilenceSeconds: seconds.optional().describe('how long your own command may be silent'),
  oneShotSeconds: seconds.optional(),
  modelSilenceSeconds: seconds
    .optional()
    .describe('how long a model may say nothing before its reply is given up'),
  modelReplySeconds: seconds.optional().describe('how long one reply of a model may take in all'),
  prices: z
    .record(z.string().min(1).max(200), Price.strict())
    .optional()
    .describe(
      'US dollars for a million tokens, by provider/name; they count for sessions that begin with them',
    ),
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
