import { z } from 'zod'
import { Dialect } from './events/epoch.ts'

/** The protocols that a model's server may speak. */
export const WireName = z.enum(['openai-chat', 'openai-responses', 'anthropic', 'gemini'])
export type WireName = z.infer<typeof WireName>

/** A provider's name stands before the slash of `name/model`. One that every object has is none. */
export const ProviderName = z
  .string()
  .regex(
    /^(?!constructor$)[a-z0-9][a-z0-9._-]{0,39}$/,
    'a name has small letters, digits, dots and hyphens, at most 40',
  )

/** Known services: a key, and where there is one for each customer an address, is all they need. */
export const PresetName = z.enum([
  'openrouter',
  'deepseek',
  'xai',
  'groq',
  'mistral',
  'together',
  'azure',
  'bedrock',
  'vertex',
])
export type PresetName = z.infer<typeof PresetName>

/** An address is shown and told of; a secret in it would be too. */
const withUser = /^https?:[\\/]*[^\\/?#]*@/i

export const ServerUrl = z
  .url({ protocol: /^https?$/, error: 'an address begins with http:// or https://' })
  .max(2_000)
  .refine(
    (address) => !withUser.test(address),
    'an address has no user and password: enter the key beside it',
  )
const ModelNames = z.array(z.string().min(1).max(150)).max(100)
const HeaderName = z.string().regex(/^[\w-]{1,100}$/, 'not the name of a header')
const HeaderValue = z.string().regex(/^[\x20-\x7e]{0,2000}$/, 'not the value of a header')

/** A key goes into a header: it is one printable word. */
export const ProviderKey = z
  .string()
  .trim()
  .regex(/^[\x21-\x7e]{1,10000}$/, 'a key has no blanks and only plain characters')

/** A provider as a configuration file sets it up. */
export const ProviderConfig = z.strictObject({
  preset: PresetName.optional().describe('a known service; left out: the one of this name, if any'),
  wire: WireName.optional().describe('the protocol it speaks; default: openai-chat'),
  baseUrl: ServerUrl.optional().describe('its address, up to /v1'),
  keyEnv: z
    .string()
    .regex(/^[A-Za-z_]\w*$/, 'not the name of a variable')
    .optional()
    .describe('the environment variable that holds its key; shells do not get it'),
  keyFile: z.string().min(1).optional().describe('the file that holds its key, and nothing else'),
  keyCommand: z
    .string()
    .min(1)
    .optional()
    .describe('a command for sh that prints its key, such as one that asks your keychain'),
  headers: z.record(HeaderName, HeaderValue).optional().describe('sent with each request to it'),
  models: ModelNames.optional().describe(
    'names of its models, for a server that does not list them',
  ),
  dialect: Dialect.optional().describe('how its models ask for commands'),
  strictAlternation: z
    .boolean()
    .optional()
    .describe('whether it wants user and assistant strictly in turn; default: in tags'),
})
export type ProviderConfig = z.infer<typeof ProviderConfig>

/** A provider as a person enters it in the page or on the command line: its key is in it, and no command can be. */
export const EnteredProvider = z.strictObject({
  preset: PresetName.optional(),
  wire: WireName.optional(),
  baseUrl: ServerUrl.optional(),
  key: ProviderKey.optional(),
  models: ModelNames.optional(),
})
export type EnteredProvider = z.infer<typeof EnteredProvider>
