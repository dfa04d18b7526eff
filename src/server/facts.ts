import { release } from 'node:os'
import { basename } from 'node:path'

/** What a model should know of the world, told once at the start and never rebuilt. */
export function factsOf({
  workspace,
  shell,
  at,
}: {
  workspace: string
  shell: string
  at: number
}): string {
  return [
    '[about this session, as it began]',
    `folder: ${workspace}`,
    `system: ${process.platform} ${release()}, ${process.arch}`,
    `shell: ${basename(shell)}`,
    `date: ${new Date(at).toISOString().slice(0, 10)}`,
  ].join('\n')
}
