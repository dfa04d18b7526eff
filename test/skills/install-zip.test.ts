// needs: zip python3
import { join } from 'node:path'
import { test } from 'vitest'
import { expectAdded, type Maker, made, run } from './support/packed.ts'

const python = `import sys, os, zipfile
with zipfile.ZipFile(sys.argv[1], 'w', zipfile.ZIP_DEFLATED) as z:
    for folder, _, files in os.walk('tidy'):
        for name in files:
            z.write(os.path.join(folder, name))
`

/** Real programs that make archives, as people use them. */
const makers: Readonly<Record<string, Maker>> = {
  'zip -r': (cwd) => made(cwd, 'a.zip', (to) => run(cwd, 'zip', '-qr', to, 'tidy')),
  'zip -r of the folder itself': (cwd) =>
    made(cwd, 'a.skill', (to) => run(join(cwd, 'tidy'), 'zip', '-qr', to, '.')),
  'zip to a pipe': (cwd) =>
    made(cwd, 'a.zip', (to) => run(cwd, 'sh', '-c', `zip -qr - tidy | cat > ${to}`)),
  'python zipfile': (cwd) => made(cwd, 'a.zip', (to) => run(cwd, 'python3', '-c', python, to)),
}

test.each(Object.entries(makers))(
  '[ARC14] a skill packed by %s is added as it was',
  async (_name, make) => expectAdded(make),
)
