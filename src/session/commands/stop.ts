import { hasHeld, terminalRun } from '../../log/open.ts'
import type { OpenCall, SessionState } from '../../log/state.ts'
import { abort } from '../abort.ts'
import { answerCall } from '../answer-call.ts'
import { refuse } from '../refuse.ts'
import { closeCommand, type Command, openCommand } from './command.ts'

export const stop: Command = {
  name: 'stop',
  aliases: [],
  usage: '/stop',
  summary: 'end the turn, and interrupt what runs in the terminal, or else beside it',
  reachesModel: false,
  grammar: {},
  run(append, { text }, catalogue) {
    const { state } = append
    const run = terminalRun(state)
    const hasTurn = state.turn !== null || hasHeld(state)
    const beside = hasTurn || run ? [] : callsBeside(state)
    if (!hasTurn && !run && beside.length === 0)
      return refuse('no_turn', 'There is nothing to stop.')
    const call = openCommand(append, { name: 'stop', text })
    if (hasTurn) abort(append, catalogue)
    for (const each of beside)
      answerCall(append, each, { status: 'cancelled', line: 'cancelled by the user' })
    // The model's own run is stopped with its turn.
    if (run && run.source !== 'model') append.wish.signal = 'int'
    closeCommand(append, call, 'Stopping.')
    return null
  },
}

function callsBeside({ calls }: SessionState): readonly OpenCall[] {
  return calls.filter(({ request }) => request.run?.lane === 'background')
}
