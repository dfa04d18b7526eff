import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { readRegular } from '../files/read-regular.ts'
import { replaceFile } from '../files/replace-file.ts'
import { serverFile, StartError } from './data-folder.ts'

/** The address of the running server; clients find it by this. */
export const ServerInfo = z.object({ url: z.string(), pid: z.number().int(), version: z.string() })
export type ServerInfo = z.infer<typeof ServerInfo>

export function readServerInfo(home: string): ServerInfo | null {
  return parse(ServerInfo, join(home, serverFile))
}

/** Whole or not at all: a client may read it at any moment. */
export function writeServerInfo(home: string, info: ServerInfo): void {
  put(join(home, serverFile), info)
  put(join(home, portFile), Number(new URL(info.url).port))
}

function put(path: string, value: unknown): void {
  try {
    replaceFile(path, JSON.stringify(value), { mode: 0o600 })
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'EISDIR')) throw cause
    throw new StartError('folder', `cannot write ${path}: is it a folder? Remove it.`, { cause })
  }
}

export function removeServerInfo(home: string): void {
  rmSync(join(home, serverFile), { force: true })
}

/** Remembered, so that an open page finds the next server at the same address. */
const portFile = 'port'

/** Ports below are not given out to programs, and browsers talk to few of them: no server of ours had one. */
const firstPort = 1_024

export function rememberedPort(home: string): number {
  return parse(z.number().int().min(firstPort).max(65_535), join(home, portFile)) ?? 0
}

function parse<T>(schema: z.ZodType<T>, path: string): T | null {
  try {
    return schema.parse(JSON.parse(readRegular(path)))
  } catch {
    return null
  }
}
