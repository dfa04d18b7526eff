import { z } from 'zod'

/** An event's place in its log, from 1 without gaps; also the id of whatever the event introduced. */
export const Seq = z.number().int().positive()
export type Seq = z.infer<typeof Seq>

/** The place before the first event. */
export const Head = z.number().int().nonnegative()
export type Head = z.infer<typeof Head>

export const SessionId = z.string().regex(/^[0-9a-z][0-9a-z-]{7,63}$/, 'not a session id')
export type SessionId = z.infer<typeof SessionId>

/** Chosen by the client; the same key twice changes nothing the second time. */
export const IntentKey = z.string().min(1).max(200)
export type IntentKey = z.infer<typeof IntentKey>

/** A run's public id, the one that HTTP routes and people see. */
export const RunId = z.string().regex(/^sh-[0-9a-f-]{36}$/, 'not a run id')
export type RunId = z.infer<typeof RunId>

/** Random, so that a program in the shell cannot guess which question to answer. */
export const AskId = z.string().regex(/^ask-[0-9a-f-]{36}$/, 'not an ask id')
export type AskId = z.infer<typeof AskId>

/** Milliseconds since 1970, as the host's clock said when the cause arrived. */
export const At = z.number().int()
export type At = z.infer<typeof At>
