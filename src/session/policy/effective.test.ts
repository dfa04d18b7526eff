import { expect, test } from 'vitest'
import { effectiveCommand } from './effective.ts'

test.each([
  ['env A=b timeout 5 nice git push -f', 'git push -f'],
  ['A=b ls', 'A=b ls'],
  ['ls | timeout -k 1 5s grep x && command rm y', 'ls | grep x && rm y'],
  ['time ls', 'ls'],
  ['command -v ls', 'command -v ls'],
  ['bash -c \'nice rm -rf "a b"\'', 'rm -rf "a b"'],
  ["sh -c 'rm a; rm b' | cat", '(rm a; rm b) | cat'],
  ['env sh -c "bash -c \'rm x\'"', 'rm x'],
  ['r\'\'m "-rf" x', 'rm "-rf" x'],
  ['echo $(timeout 5 "ls") > out', 'echo $(ls) > out'],
  ['for x in a; do nice rm $x; done', 'for x in a; do rm $x; done'],
  ['timeout 5 >out ls', 'timeout 5 >out ls'],
  ['env -i rm x', 'env -i rm x'],
  ['nice "$(', 'nice "$('],
  ['sudo rm x', 'sudo rm x'],
  ['rm a\u202eb \x1b', String.raw`rm a\u202eb \x1b`],
  ['echo `nice ls`', 'echo `ls`'],
  ['echo "`nice \\"ls\\"`"', 'echo "`nice \\"ls\\"`"'],
  ['cat <<X\n$(nice ls)\nX', 'cat <<X\n$(ls)\nX'],
])('[APP8] %j acts as %j', (command, effective) => {
  expect(effectiveCommand(command)).toBe(effective)
})
