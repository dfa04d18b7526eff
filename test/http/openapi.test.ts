import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Route } from '../../src/protocol/http/route.ts'
import { routes } from '../../src/protocol/http/routes.ts'
import { bodyOf, errorOf, startTestServer } from './support.ts'

const table: [string, Route][] = Object.entries(routes)

const Operation = z.looseObject({
  operationId: z.string(),
  parameters: z.array(z.looseObject({ name: z.string(), in: z.string() })).default([]),
  requestBody: z.unknown().optional(),
})
const Document = z.looseObject({
  openapi: z.literal('3.1.0'),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.looseObject({ schemas: z.record(z.string(), z.unknown()) }),
})

async function read(): Promise<z.output<typeof Document>> {
  const server = await startTestServer()
  return bodyOf(await fetch(`${server.url}/openapi.json`), Document)
}

test('[HTTP80] the OpenAPI document is valid, and every reference in it leads somewhere', async () => {
  const document = await read()
  const result = await new Validator().validate(structuredClone(document))
  expect(result).toEqual({ valid: true })
  const text = JSON.stringify(document)
  const references = [...text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)]
  const { schemas } = document.components
  expect(references.length).toBeGreaterThan(20)
  for (const [, id = ''] of references) expect(Object.keys(schemas)).toContain(id)
  expect([...text.matchAll(/"\$ref":"(?!#\/components\/schemas\/)/g)]).toEqual([])
  expect(Object.keys(schemas)).toEqual(
    expect.arrayContaining(['Event', 'Delta', 'Frame', 'Refusal', 'ErrorBody', 'SocketFrame']),
  )
})

test('[HTTP80] the document lists every route with its parameters, body, answer and access', async () => {
  const { paths } = await read()
  for (const [name, route] of table) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}')
    const operation = paths[path]?.[route.method.toLowerCase()]
    expect(operation).toMatchObject({
      operationId: name,
      security: route.access === 'open' ? [] : [{ token: [] }],
      responses: { [route.status ?? 200]: {}, default: {} },
    })
    expect(operation?.parameters.map((parameter) => [parameter.in, parameter.name])).toEqual([
      ...Object.keys(route.params?.shape ?? {}).map((param) => ['path', param]),
      ...Object.keys(route.query?.shape ?? {}).map((param) => ['query', param]),
    ])
    expect(operation?.requestBody !== undefined).toBe(route.body !== undefined)
  }
  const listed = Object.values(paths).flatMap((methods) => Object.keys(methods))
  expect(listed).toHaveLength(table.length + 1)
})

test('[HTTP80] every route of the table is served, and asks for the token unless it is open', async () => {
  const server = await startTestServer()
  for (const [name, { method, path, access }] of table) {
    const url = `${server.url}${path.replaceAll(/:\w+/g, 'no-such-thing')}`
    const { status } = await fetch(url, { method })
    expect([name, status]).toEqual([name, access === 'open' ? 400 : 401])
  }
})

test('[HTTP80] the document needs no token but passes the gate', async () => {
  const server = await startTestServer()
  const headers = { origin: 'https://evil.example' }
  expect(await errorOf(await fetch(`${server.url}/openapi.json`, { headers }))).toEqual([
    403,
    'forbidden',
  ])
})
