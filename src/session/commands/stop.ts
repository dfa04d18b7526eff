import { terminalRun } from '../../log/open.ts'
import { abort } from '../abort.ts'
import { refuse } from '../refuse.ts'
import { closeCommand, type Command, openCommand } from './command.ts'

export const stop: Command = {
  name: 'stop',
  aliases: [],
  usage: '/stop',
  summary: 'end the turn, and interrupt what runs in the terminal',
  reachesModel: false,
  grammar: {},
  run(append, { text }, catalogue) {
    const { turn } = append.state
    const run = terminalRun(append.state)
    if (turn === null && !run) return refuse('no_turn', 'There is nothing to stop.')
    const call = openCommand(append, { name: 'stop', text })
    if (turn !== null) abort(append, catalogue)
    // The model's own run is stopped with its turn.
    if (run && run.source !== 'model') append.wish.signal = 'int'
    closeCommand(append, call, 'Stopping.')
    return null
  },
}
