import { resolve } from 'node:path'
import { routes } from '../../protocol/routes.ts'
import { attach } from '../attach.ts'
import { CliError, exitCode } from '../exit-code.ts'
import type { Io } from '../io.ts'
import { printableLine } from '../printable.ts'

interface Options {
  revoke?: boolean
  list?: boolean
  json?: boolean
}

/** `tandem trust`: whether the configuration, skills and commands of a folder count. */
export async function trustCommand(
  io: Io,
  named: string | undefined,
  { revoke, list, json }: Options,
): Promise<number> {
  if (list && (revoke || named !== undefined))
    throw new CliError('--list stands alone. See: tandem trust --help', exitCode.usage)
  const { client } = await attach(io)
  if (list) {
    const { folders } = await client.call(routes.trusted, {})
    io.out(
      json
        ? `${JSON.stringify(folders)}\n`
        : folders.map(({ path }) => `${printableLine(path)}\n`).join(''),
    )
    return exitCode.ok
  }
  const body = { folder: resolve(io.cwd, named ?? '.'), trusted: !revoke }
  const answer = await client.call(routes.trust, { body })
  if (json) io.out(`${JSON.stringify(answer)}\n`)
  else io.note(sentence(answer, revoke === true))
  return revoke && answer.trusted ? exitCode.error : exitCode.ok
}

function sentence(answer: { folder: string; trusted: boolean }, revoke: boolean): string {
  const folder = printableLine(answer.folder)
  if (!revoke) return `${folder} is trusted: its settings, skills and commands count.`
  return answer.trusted
    ? `${folder} is still trusted, as part of another folder: see tandem trust --list`
    : `${folder} is not trusted any more.`
}
