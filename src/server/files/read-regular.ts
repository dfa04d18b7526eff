import { appendFileSync, closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'

/** Something else lies in a file's place, or more than the file can hold. */
export class NotRegularError extends Error {
  override name = 'NotRegularError'
}

/** No file of ours that is read whole comes near it. */
const mostBytes = 16 * 1024 * 1024

/** A whole regular file as text. A pipe in its place would be waited for for ever, a device read for ever. */
export function readRegular(path: string): string {
  const { O_RDONLY, O_NONBLOCK, O_NOCTTY } = constants
  const file = openSync(path, O_RDONLY | O_NONBLOCK | O_NOCTTY)
  try {
    const stat = fstatSync(file)
    if (!stat.isFile()) throw new NotRegularError('it is not a file')
    if (stat.size > mostBytes) throw new NotRegularError(`it has more than ${mostBytes} bytes`)
    return readFileSync(file, 'utf8')
  } finally {
    closeSync(file)
  }
}

/** Opens a file of ours to read or to add to; what is a pipe fails at once instead of waiting for its other end. */
export const unwaited = {
  read: constants.O_RDONLY | constants.O_NONBLOCK,
  append: constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NONBLOCK,
} as const

export function appendRegular(path: string, text: string): void {
  const file = openSync(path, unwaited.append, 0o600)
  try {
    appendFileSync(file, text)
  } finally {
    closeSync(file)
  }
}
