import { z } from 'zod'
import type { Route } from './route.ts'
import { LogDamage } from './session-view.ts'
import { EnteredProvider, ProviderName } from '../provider.ts'

export const Health = z.object({
  version: z.string(),
  protocol: z.number().int(),
  pid: z.number().int(),
  model: z.string(),
  sessions: z.number().int(),
  /** The limits on programs in a shell, in words. */
  limits: z.string().optional(),
  /** The folder the server was started in: a page offers it for a first session. */
  folder: z.string().optional(),
  /** Damage to the log, if any was found. */
  damage: LogDamage.optional(),
})
export type Health = z.infer<typeof Health>

/** A provider as `tandem models` shows it: what is set up, and whether it answers. */
export const ModelInfo = z.object({
  provider: z.string(),
  label: z.string(),
  /** Its key or address is there. */
  configured: z.boolean(),
  reachable: z.boolean(),
  /** The advice to a person, when it cannot be used. */
  problem: z.string().nullable(),
  /** Names as `--model` takes them. */
  models: z.array(z.string()),
  /** The one that is taken when nobody says which; left out: none is known. */
  default: z.string().optional(),
  /** Tokens that a request to a model may have, by its name, where that is known. */
  contexts: z.record(z.string(), z.number()).optional(),
  /** Nobody has said where it is. */
  needsAddress: z.boolean().optional(),
  /** Its key was entered, so that it can be removed here. */
  entered: z.boolean().optional(),
  /** Sentences about models that are past their announced end. */
  warnings: z.array(z.string()).optional(),
})
export type ModelInfo = z.infer<typeof ModelInfo>

/** A known service that needs a key, and where each customer has an own one its address. */
export const PresetInfo = z.object({
  id: ProviderName,
  label: z.string(),
  /** An example of its address, where one has to be given. */
  address: z.string().nullable(),
  needsKey: z.boolean(),
})
export type PresetInfo = z.infer<typeof PresetInfo>

/** The outcome of a test call, in one sentence. */
export const TriedProvider = z.object({
  works: z.boolean(),
  says: z.string(),
  /** The model that was asked, as `/model` takes it. */
  model: z.string().nullable(),
  /** It is kept, and can be used at once. */
  kept: z.boolean(),
})
export type TriedProvider = z.infer<typeof TriedProvider>

const OfProvider = z.object({ name: ProviderName })
/** Another provider gets everything that is said: only a person may name one. */
const isPersons = () => true

/** The server itself: who may talk to it, and what it has to offer. */
export const serverRoutes = {
  health: {
    method: 'GET',
    path: '/v1/health',
    summary: 'What is running here',
    answer: Health,
  },
  secret: {
    method: 'POST',
    path: '/v1/secrets',
    summary: 'Make a new one-time start URL',
    status: 201,
    answer: z.object({ secret: z.string(), url: z.string() }),
  },
  rotate: {
    method: 'POST',
    path: '/v1/token',
    summary: 'Replace the token; the old one stops working at once',
    answer: z.object({ token: z.string() }),
  },
  ticket: {
    method: 'POST',
    path: '/v1/tickets',
    summary: 'A single-use ticket for the WebSocket, good for 30 seconds',
    status: 201,
    answer: z.object({ ticket: z.string() }),
  },
  shutdown: {
    method: 'POST',
    path: '/v1/shutdown',
    summary: 'End the server; shells and their runs live on in their holders',
    body: z.strictObject({ shells: z.enum(['keep', 'end']).default('keep') }),
    status: 202,
    answer: z.object({ pid: z.number().int() }),
  },
  models: {
    method: 'GET',
    path: '/v1/models',
    summary: 'The models there are, and whether they answer',
    query: z.strictObject({ fresh: z.enum(['true', 'false']).optional() }),
    answer: z.object({
      current: z.string(),
      providers: z.array(ModelInfo),
      /** Services that a key adds. */
      presets: z.array(PresetInfo).optional(),
    }),
  },
  addProvider: {
    method: 'POST',
    path: '/v1/providers/:name',
    summary: 'Try a provider with the key of a person, and keep both if it works',
    params: OfProvider,
    body: EnteredProvider.extend({ keep: z.enum(['if-works', 'always']).default('if-works') }),
    approves: isPersons,
    answer: TriedProvider,
  },
  testProvider: {
    method: 'POST',
    path: '/v1/providers/:name/test',
    summary: 'Make a test call to a provider',
    params: OfProvider,
    answer: TriedProvider.omit({ kept: true }),
  },
  removeProvider: {
    method: 'DELETE',
    path: '/v1/providers/:name',
    summary: 'Forget a provider that was entered, and its key',
    params: OfProvider,
    approves: isPersons,
    answer: z.object({ name: z.string() }),
  },
} as const satisfies Record<string, Route>
