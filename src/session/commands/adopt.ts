import { adopt as adoptShell } from '../adopt.ts'
import type { Command } from './command.ts'

export const adopt: Command = {
  name: 'adopt',
  aliases: [],
  usage: '/adopt',
  summary: 'run commands in the shell that reads in the terminal now: of ssh, su, bash --norc',
  reachesModel: true,
  grammar: {},
  run: (append, { text }) => adoptShell(append, text),
}
