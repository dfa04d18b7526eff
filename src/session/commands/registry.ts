import { approve, deny } from './answers.ts'
import type { Command } from './command.ts'
import { cache, exportTo, status, compact } from './reports.ts'
import { adopt, shell, stop } from './runs.ts'
import { approval, model, privately, title, trust } from './settings.ts'
import { skill, skills } from './skills.ts'
import { assign, repo, task } from './team.ts'

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
  approval,
  exportTo,
]

export function findCommand(name: string): Command | undefined {
  return commands.find((command) => command.name === name || command.aliases?.includes(name))
}
