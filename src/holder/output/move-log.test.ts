import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { openByteLog } from './byte-log.ts'
import { moveLog } from './open-output.ts'
import { listSegments, readSegments } from './segments.ts'

const root = mkdtempSync(join(tmpdir(), 'tandem-move-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

let made = 0
const newFolder = () => join(root, String((made += 1)))

const logIn = (folder: string, from = 0) => ({
  folder,
  from,
  maxBytes: 64 * 1024 * 1024,
  runBytes: 16 * 1024 * 1024,
  onKept() {},
})

function stored(folder: string): { from: number; bytes: Buffer } {
  const segments = listSegments(folder)
  const [first, last] = [segments[0], segments.at(-1)]
  if (first === undefined || last === undefined) return { from: 0, bytes: Buffer.alloc(0) }
  const span = { from: first.start, to: last.start + last.bytes }
  return { from: span.from, bytes: readSegments(folder, segments, span) }
}

const piece = fc.tuple(fc.nat(255), fc.oneof(fc.nat(200), fc.nat(40_000)))
const bytesOf = ([byte, count]: [number, number]) => Buffer.alloc(count, byte)
const sum = (pieces: readonly Buffer[]) => pieces.reduce((all, { length }) => all + length, 0)

test('[MOVE4] a byte log that moves goes on at its offset, with all that the new folder needs to draw its screen, and leaves the old files as they were', () =>
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 12 }),
      fc.array(piece, { maxLength: 6 }),
      fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
      (early, late, drawnAt) => {
        const [before, after] = [early.map(bytesOf), late.map(bytesOf)]
        const [oldFolder, folder] = [newFolder(), newFolder()]
        const old = openByteLog(logIn(oldFolder))
        for (const bytes of before) old.append(bytes)
        const head = sum(before)
        const offset = drawnAt === null ? head : Math.floor(drawnAt * head)
        const screen = { offset, rows: 24, cols: 80, data: 'the screen' }
        const moved = moveLog(old, drawnAt === null ? null : screen, logIn(folder))
        expect(moved.log.head()).toBe(head)
        expect(moved.checkpoint).toEqual(drawnAt === null ? null : screen)
        for (const bytes of after) moved.log.append(bytes)
        moved.log.close()

        const all = Buffer.concat([...before, ...after])
        expect(stored(oldFolder).bytes.equals(all.subarray(0, head))).toBe(true)
        const { from, bytes } = stored(folder)
        expect(from).toBe(drawnAt === null ? Math.max(0, head - 16 * 1024) : offset)
        expect(bytes.equals(all.subarray(from))).toBe(true)
        // Whoever opens it next goes on where it ends.
        const next = openByteLog(logIn(folder))
        expect(next.head()).toBe(all.length)
        next.close()
        if (drawnAt !== null)
          expect(JSON.parse(readFileSync(join(folder, 'first-screen.json'), 'utf8'))).toEqual(
            screen,
          )
        else expect(readdirSync(folder)).not.toContain('first-screen.json')
      },
    ),
    { numRuns: 60 },
  ))
