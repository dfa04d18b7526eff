import { limits } from '../../src/protocol/limits.ts'

/** JSON texts that are as much work as a body of so many bytes may be. */
export function worstBodies(bytes: number): Readonly<Record<string, string>> {
  return {
    keys: filled(`{${list(limits.bodyKeys, (at) => `"k${at}":${at}`)}}`, bytes),
    elements: cut(`{"text":[${list(limits.bodyParts - 1, String)}]}`, bytes),
    levels: filled(`{"text":${'['.repeat(15)}${']'.repeat(15)}}`, bytes),
    text: textBody('x', bytes),
    escapes: textBody(String.raw`\u00e9`, bytes),
    pairs: textBody(String.raw`\ud83d\ude00`, bytes),
    backslashes: textBody(String.raw`\\`, bytes, String.raw`\ud83d\ude00`),
    invisible: textBody('\u200b', bytes),
    // One more than there may be, and all that fit.
    tooManyKeys: cut(`{${list(Math.floor(bytes / 12), (at) => `"k${at}":1`)}}`, bytes),
    tooManyElements: cut(`{"messages":[${'1,'.repeat(Math.floor(bytes / 2))}1]}`, bytes),
    tooManyLevels: '['.repeat(bytes),
  }
}

function list(count: number, item: (at: number) => string): string {
  return Array.from({ length: count }, (_, at) => item(at)).join(',')
}

/** Blanks count as well. */
const filled = (json: string, bytes: number) => cut(json.padEnd(bytes), bytes)
const cut = (json: string, bytes: number) => json.slice(0, bytes)

function textBody(piece: string, bytes: number, first = ''): string {
  const room = bytes - Buffer.byteLength(`{"text":"${first}"}`)
  return `{"text":"${first}${piece.repeat(Math.floor(room / Buffer.byteLength(piece)))}"}`
}
