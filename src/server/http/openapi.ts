import { z } from 'zod'
import { AgentLine } from '../../protocol/http/agent-route.ts'
import { Delta } from '../../protocol/stream/delta.ts'
import { Event } from '../../protocol/events/event.ts'
import { Frame, SocketFrame, SocketRequest } from '../../protocol/stream/frame.ts'
import { Intent } from '../../protocol/http/intent.ts'
import { ErrorBody, Refusal } from '../../protocol/http/refusal.ts'
import { bodyBytesOf, type Route } from '../../protocol/http/route.ts'
import { routes } from '../../protocol/http/routes.ts'
import {
  Accepted,
  RunOutput,
  RunView,
  SessionSummary,
  SessionView,
} from '../../protocol/http/session-view.ts'
import { Repo, Task } from '../../protocol/http/team.ts'

type Json = Record<string, unknown>

/** Schemas worth a name of their own in the document. */
const named = {
  Accepted,
  AgentLine,
  Delta,
  ErrorBody,
  Event,
  Frame,
  Intent,
  Refusal,
  Repo,
  RunOutput,
  RunView,
  SessionSummary,
  SessionView,
  SocketFrame,
  SocketRequest,
  Task,
}

/** The route table as OpenAPI 3.1; there is no second description to keep in step. */
export function openApiDocument(version: string): Json {
  const table: [string, Route][] = Object.entries(routes)
  const paths: Record<string, Json> = {}
  for (const [name, route] of table) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(name, route) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tandem',
      version,
      description: 'One shell, two drivers. Loopback only; the token is in the data folder.',
    },
    paths: { ...paths, '/v1/socket': { get: socketOperation } },
    components: {
      schemas: components(table),
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
    },
  }
}

/** All in one registry, so that schemas refer to each other instead of repeating each other. */
function components(table: readonly [string, Route][]): Json {
  const answers = z.registry<{ id: string }>()
  const bodies = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(named)) answers.add(schema, { id })
  for (const [name, { body, answer }] of table) {
    if (body !== undefined) bodies.add(body, { id: `${name}Body` })
    if (answer !== undefined && !answers.has(answer)) answers.add(answer, { id: `${name}Answer` })
  }
  const uri = (id: string) => `#/components/schemas/${id}`
  const schemas = {
    ...z.toJSONSchema(answers, { uri }).schemas,
    // Only the input side shows what a caller may leave out.
    ...z.toJSONSchema(bodies, { uri, io: 'input' }).schemas,
  }
  return Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, bare(schema)]))
}

/** `$id` and `$schema` would make each component a document of its own. */
function bare({ $id: _id, $schema: _schema, ...schema }: Json): Json {
  return schema
}

function operation(name: string, route: Route): Json {
  return {
    operationId: name,
    summary: route.summary,
    security: route.access === 'open' ? [] : [{ token: [] }],
    parameters: [...parameters(route.params, 'path'), ...parameters(route.query, 'query')],
    ...(route.body && {
      requestBody: {
        description: `At most ${bodyBytesOf(route)} bytes`,
        // A body may be absent where an empty one would do.
        required: !route.body.safeParse({}).success,
        content: { 'application/json': { schema: reference(`${name}Body`) } },
      },
    }),
    responses: {
      [route.status ?? 200]: { description: route.summary, content: content(name, route) },
      default: errorResponse,
    },
  }
}

function content(name: string, route: Route): Json {
  if (route.answer === undefined)
    return { [route.produces ?? 'application/octet-stream']: { schema: { type: 'string' } } }
  const known = Object.entries(named).find(([, schema]) => schema === route.answer)
  return { 'application/json': { schema: reference(known?.[0] ?? `${name}Answer`) } }
}

function parameters(schema: z.ZodObject | undefined, place: 'path' | 'query'): Json[] {
  return Object.entries(schema?.shape ?? {}).map(([name, part]) => ({
    name,
    in: place,
    required: place === 'path',
    schema: bare(z.toJSONSchema(part)),
  }))
}

function reference(id: string): Json {
  return { $ref: `#/components/schemas/${id}` }
}

const errorResponse = {
  description: 'A refusal',
  content: { 'application/json': { schema: reference('ErrorBody') } },
}

const socketOperation: Json = {
  operationId: 'socket',
  summary: 'WebSocket of SocketRequest and SocketFrame; the first message is a ticket',
  security: [],
  responses: { '101': { description: 'Switched to a WebSocket' }, default: errorResponse },
}
