import type { z } from 'zod'

/** One line of the HTTP surface. */
export interface Route {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** With `:name` parameters, each described in `params`. */
  path: string
  summary: string
  /** `open` ones need no token; all need the right Host and Origin. */
  access: 'token' | 'open'
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodType
  status: number
  /** Absent for a stream or a document of another type. */
  answer?: z.ZodType
  /** The media type, when it is not JSON. */
  produces?: string
}
