import { parseTime } from '../../base/parse-time.ts'
import { hasHeld, isBeside, terminalRun } from '../../log/open.ts'
import { answerCall, refuse } from '../append.ts'
import { startOneShot } from '../decide/one-shot.ts'
import { abort, adopt as adoptShell } from '../decide/take-back.ts'
import { closeCommand, type Command, openCommand } from './command.ts'

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

export const adopt: Command = {
  name: 'adopt',
  usage: '/adopt',
  summary: 'run commands in the shell that reads in the terminal now: of ssh, su, bash --norc',
  reachesModel: true,
  run: (append, { text }) => adoptShell(append, text),
}

export const stop: Command = {
  name: 'stop',
  usage: '/stop',
  summary: 'end the turn, and interrupt what runs in the terminal, or else beside it',
  reachesModel: false,
  run(append, { text }, catalogue) {
    const { state } = append
    const run = terminalRun(state)
    const hasTurn = state.turn !== null || hasHeld(state)
    const beside = hasTurn || run ? [] : state.calls.filter(isBeside)
    if (!hasTurn && !run && beside.length === 0)
      return refuse('no_turn', 'There is nothing to stop.')
    const call = openCommand(append, { name: 'stop', text })
    if (hasTurn) abort(append, catalogue)
    for (const each of beside)
      answerCall(append, each, { status: 'cancelled', line: 'cancelled by the user' })
    // The model's own run is stopped with its turn.
    if (run && run.source !== 'model') append.orders.signal = 'int'
    return closeCommand(append, call, 'Stopping.')
  },
}
