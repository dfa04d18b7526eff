import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { serverFile } from './data-folder.ts'

/** Where the running server is; clients find it by this. */
export const ServerInfo = z.object({ url: z.string(), pid: z.number().int(), version: z.string() })
export type ServerInfo = z.infer<typeof ServerInfo>

export function readServerInfo(home: string): ServerInfo | null {
  return parse(ServerInfo, join(home, serverFile))
}

/** Whole or not at all: a client may read it at any moment. */
export function writeServerInfo(home: string, info: ServerInfo): void {
  const path = join(home, serverFile)
  writeFileSync(`${path}.new`, JSON.stringify(info), { mode: 0o600 })
  renameSync(`${path}.new`, path)
  writeFileSync(join(home, portFile), JSON.stringify(Number(new URL(info.url).port)), {
    mode: 0o600,
  })
}

export function removeServerInfo(home: string): void {
  rmSync(join(home, serverFile), { force: true })
}

/** Remembered, so that an open page finds the next server at the same address. */
const portFile = 'port'

export function rememberedPort(home: string): number {
  return parse(z.number().int().min(0).max(65_535), join(home, portFile)) ?? 0
}

function parse<T>(schema: z.ZodType<T>, path: string): T | null {
  try {
    return schema.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return null
  }
}
