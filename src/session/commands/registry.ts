import { adopt } from './adopt.ts'
import { approve } from './approve.ts'
import { assign } from './assign.ts'
import { cache } from './cache.ts'
import type { Command } from './command.ts'
import { compact } from './compact.ts'
import { deny } from './deny.ts'
import { exportTo } from './export.ts'
import { model } from './model.ts'
import { privately } from './private.ts'
import { repo } from './repo.ts'
import { shell } from './shell.ts'
import { skill } from './skill.ts'
import { skills } from './skills.ts'
import { status } from './status.ts'
import { stop } from './stop.ts'
import { task } from './task.ts'
import { title } from './title.ts'
import { trust } from './trust.ts'

/** Every command of the session’s; help, completion and routing are drawn from this. */
export const commands: readonly Command[] = [
  shell,
  adopt,
  stop,
  approve,
  deny,
  status,
  model,
  compact,
  cache,
  skill,
  skills,
  repo,
  task,
  assign,
  title,
  privately,
  trust,
  exportTo,
]

export function findCommand(name: string): Command | undefined {
  return commands.find((command) => command.name === name || command.aliases.includes(name))
}
