import { z } from 'zod'
import { SessionId } from '../events/seq.ts'
import { limits } from '../limits.ts'

/** One line of the HTTP surface. */
export interface Route {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** With `:name` parameters, each described in `params`. */
  path: string
  summary: string
  /** `open` ones need no token; all need the right Host and Origin. */
  access?: 'open'
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodType
  /** The most that is read of it; left out: `smallBodyBytes`. */
  bodyBytes?: number
  /**
   * Says of a body that it lets a command of the model's run, or makes more of them run unasked. Such a request is a
   * person's alone: the server looks who sends it, and over TCP it can always tell.
   */
  approves?: (body: unknown) => boolean
  /** The status of a good answer; left out: 200. */
  status?: number
  /** Absent for a stream or a document of another type. */
  answer?: z.ZodType
  /** The media type, when it is not JSON. */
  produces?: string
}

/** The parameters of a route below one session. */
export const OfSession = z.object({ id: SessionId })

/** The most that a route reads of a body, also where it expects none. */
export function bodyBytesOf({ body, bodyBytes }: Route): number {
  return bodyBytes ?? (body ? limits.smallBodyBytes : limits.tinyBodyBytes)
}

/** For `approves`: a body with this field, with this value, or with such a text in it. */
export function hasField(name: string, is?: boolean | RegExp) {
  return (body: unknown): boolean => {
    const value: unknown = Object.entries(Object(body)).find(([key]) => key === name)?.[1]
    if (is instanceof RegExp) return typeof value === 'string' && is.test(value)
    return is === undefined ? value !== undefined : value === is
  }
}
