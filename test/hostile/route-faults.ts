import { z } from 'zod'
import type { Route } from '../../src/protocol/http/route.ts'
import { routes } from '../../src/protocol/http/routes.ts'
import { headersOf, json, type Row } from './request.ts'
import type { RouteRow } from './route-rows.ts'
import { brokenBodies, halved, spoilt, wrongIds, wrongQueries } from './values.ts'
import type { Witness } from './witness.ts'

/** A route with its row: what the requests are made from. */
export interface Target {
  name: string
  route: Route
  row: RouteRow
}

export function pathOf({ route, row }: Target, swap: Readonly<Record<string, string>> = {}) {
  return route.path.replaceAll(
    /:(\w+)/g,
    (_, name: string) => swap[name] ?? row.params?.[name] ?? '',
  )
}

/** The request as it should be, but for what a fault changes. */
function good(witness: Witness, target: Target): Omit<Row, 'name'> {
  const { route, row } = target
  const body = route.method === 'GET' ? {} : { body: JSON.stringify(row.body ?? {}) }
  const headers = headersOf(witness, ...(route.method === 'GET' ? [] : json))
  return { method: route.method, path: pathOf(target), headers, ...body }
}

/** The callers that are nobody, or not who they say. */
export function callerFaults(witness: Witness, target: Target): readonly Row[] {
  const { server } = witness
  const { host, port } = new URL(server.url)
  const whole = good(witness, target)
  const type = target.route.method === 'GET' ? [] : json
  const bearer = (value: string) => ['Authorization', value]
  const right = bearer(`Bearer ${server.token}`)
  const row = (name: string, headers: readonly string[], code: string): Row => ({
    ...whole,
    name: `${target.name}: ${name}`,
    headers: [...headers, ...type],
    code,
  })
  const open = target.route.access === 'open'
  const tokens = open
    ? []
    : [
        row('no token', ['Host', host], 'unauthorized'),
        ...['', 'Bearer', 'Bearer ', `Bearer ${'x'.repeat(43)}`, `Bearer ${'x'.repeat(9_000)}`]
          .concat(`Basic ${server.token}`, `Bearer ${server.token}x`, `Bearer ${server.token} x`)
          .map((value) =>
            row(`token "${value.slice(0, 9)}"`, ['Host', host, ...bearer(value)], 'unauthorized'),
          ),
        row('two tokens', ['Host', host, ...right, ...right], 'unauthorized'),
        row('a cookie', ['Host', host, 'Cookie', `token=${server.token}`], 'unauthorized'),
      ]
  const hosts = [
    '',
    'evil.example',
    `evil.example:${port}`,
    '127.0.0.1',
    `127.0.0.1:1`,
    `0.0.0.0:${port}`,
  ]
  const origins = [
    'null',
    'http://evil.example',
    'http://127.0.0.1:1',
    `https://${host}`,
    `http://evil.example:${port}`,
  ]
  return [
    ...tokens,
    row('no Host', right, 'bad_request'),
    row('two Hosts', ['Host', host, 'Host', 'evil.example', ...right], 'bad_request'),
    ...hosts.map((value) => row(`Host "${value}"`, ['Host', value, ...right], 'forbidden')),
    ...origins.map((value) =>
      row(`Origin ${value}`, ['Host', host, 'Origin', value, ...right], 'forbidden'),
    ),
    row(
      'two Origins',
      ['Host', host, 'Origin', `http://${host}`, 'Origin', `http://${host}`, ...right],
      'forbidden',
    ),
    ...['cross-site', 'same-site', 'x'].map((value) =>
      row(`from ${value}`, ['Host', host, 'Sec-Fetch-Site', value, ...right], 'forbidden'),
    ),
  ]
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']

export function methodFaults(witness: Witness, target: Target): readonly Row[] {
  const { path } = target.route
  const right = Object.values<Route>(routes)
    .filter((route) => route.path === path)
    .map(({ method }): string => method)
  return methods
    .filter((method) => !right.includes(method))
    .map((method) => ({
      name: `${target.name}: ${method}`,
      method,
      path: pathOf(target),
      headers: headersOf(witness),
      code: 'method_not_allowed',
    }))
}

/** Ids that cannot be, and ids of nobody. Everything else about the request is right. */
export function idFaults(witness: Witness, target: Target): readonly Row[] {
  const whole = good(witness, target)
  return Object.keys(target.row.params ?? {}).flatMap((param) => [
    ...wrongIds.map((id) => ({
      ...whole,
      name: `${target.name}: ${param} ${id.slice(0, 40)}`,
      path: pathOf(target, { [param]: id }),
    })),
    {
      ...whole,
      name: `${target.name}: ${param} of nobody`,
      path: pathOf(target, { [param]: target.row.strangers?.[param] ?? 'missing' }),
    },
  ])
}

/** One wrong value a query parameter. The schema says which are wrong; the others must do no harm either. */
export function queryFaults(witness: Witness, target: Target): readonly Row[] {
  const whole = good(witness, target)
  const names = Object.keys(target.route.query?.shape ?? {})
  const row = (query: string, isLegal: boolean): Row => ({
    ...whole,
    name: `${target.name}: ?${query.slice(0, 60)}`,
    path: `${pathOf(target)}?${query}`,
    isLegal,
  })
  return names.flatMap((name) => [
    ...wrongQueries.map((value) => row(`${name}=${value}`, true)),
    row(`${name}=1&${name}=2`, false),
    row(`${name}[]=1`, true),
    row(name, false),
  ])
}

/** Every wrong body, and every wrong way to send one. */
export function bodyFaults(witness: Witness, target: Target): readonly Row[] {
  const { route, row, name } = target
  if (route.method === 'GET') return []
  const whole = good(witness, target)
  const schema = route.body ?? z.strictObject({})
  const of = (what: string, more: Partial<Row>): Row => ({
    ...whole,
    name: `${name}: ${what}`,
    ...more,
  })
  const wrong = [...spoilt(row.body ?? {}, schema), ...halved(row.body ?? {})]
  const types = ['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=x']
  return [
    ...[...wrong, ...brokenBodies].map((body) => of(`body ${String(body).slice(0, 60)}`, { body })),
    ...types.map((type) =>
      of(type, {
        headers: headersOf(witness, 'Content-Type', type),
        body: '{}',
        code: 'unsupported_media_type',
      }),
    ),
    of('packed', {
      headers: headersOf(witness, ...json, 'Content-Encoding', 'gzip'),
      body: '{}',
      code: 'unsupported_media_type',
    }),
    of('too much', { body: '', announced: 5 * 1024 * 1024, code: 'payload_too_large' }),
    ...(row.refused ?? []).map(([what, body, code]) =>
      of(what, { body: JSON.stringify(body), code }),
    ),
    ...(row.replayed ?? []).map(([what, body]) =>
      of(`again: ${what}`, { body: JSON.stringify(body), isLegal: true }),
    ),
  ]
}
