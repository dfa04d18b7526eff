import { startOneShot } from '../decide-shell.ts'
import { parseTime } from '../parse-time.ts'
import { refuse } from '../refuse.ts'
import type { Command } from './command.ts'

export const shell: Command = {
  name: 'shell',
  aliases: ['sh'],
  usage: '/shell [--repo name] [--cwd folder] [--timeout time] <command>',
  summary: 'run a command in a repo of the team, beside the terminal',
  reachesModel: true,
  grammar: {
    flags: [
      { name: 'repo', kind: 'repo' },
      { name: 'cwd', kind: 'folder' },
      { name: 'timeout', kind: 'time' },
    ],
    rest: { name: 'command', kind: 'shell' },
  },
  run(append, { args, text }, catalogue) {
    const time = args.get('timeout')
    const timeoutMs = time === undefined ? undefined : time === '0' ? 0 : parseTime(time)
    if (timeoutMs === null)
      return refuse('bad_usage', `--timeout takes a time such as 90s or 5m, not "${time}".`)
    const place = { repo: args.get('repo'), cwd: args.get('cwd') }
    const command = args.get('command') ?? ''
    return startOneShot(append, { ...place, command, text, source: 'slash', timeoutMs }, catalogue)
  },
}
