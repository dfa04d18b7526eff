import { expect, test } from 'vitest'
import { useScreen } from './support/screen.ts'

const screen = useScreen()
const altScreen = (what: string) => `printf '\\e[?1049h\\e[H\\e[2J'; ${what}; printf '\\e[?1049l'`

test('[WAIT8] a screen that is asked something on shows, also while a line is read', async () => {
  await (await screen.start()).run('echo before')
  const { seen, ended } = await screen.waits(
    altScreen(`printf 'menu\\n\\nyour choice: '; read choice`),
  )
  expect(seen).toBe('menu\n\nyour choice:')
  expect(await screen.type('1')).toMatchObject({ state: 'ended' })
  await ended
})

test('[WAIT8] of a program that only writes lines the model sees them all, then what is new', async () => {
  const program = `for i in {1..60}; do echo "line $i"; done; printf '10%%\\r90%%\\n'`
  const { seen, ended } = await screen.waits(
    `${program}; read -p 'a? ' a; echo "got $a"; read -p 'b? ' b`,
  )
  expect(seen).toMatch(/^line 1\nline 2\n[\s\S]*line 60\n90%\na\?/)
  const next = await screen.type('x')
  expect(next.seen).toBe('x\ngot x\nb? ')
  await screen.type('y')
  await ended
})

test('[WAIT8] what became private meanwhile is not on the screen that the model sees', async () => {
  const program = altScreen(`read -p 'one? ' a; read -p 'two? ' b; read -p 'three? ' c`)
  const { ended } = await screen.waits(program)
  const from = (await screen.shell().terminal().liveView.heard())!
  expect((await screen.type('hunter2')).seen).toBe('one? hunter2\ntwo?')
  const to = (await screen.shell().terminal().liveView.heard())!
  const { seen } = await screen.type('open', [{ from, to }])
  expect(seen).not.toContain('hunter2')
  expect(seen).toContain('three?')
  await screen.type('z')
  await ended
})
