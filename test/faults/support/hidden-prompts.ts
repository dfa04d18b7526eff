// needs: python3
import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Programs that read secrets without showing them, each in its own way. Called with a tag, the first
 * number and the last, they ask `TAG-N? ` and tell what they got as `TAG-N=` and a hash.
 */
export const kinds = ['read-s', 'getpass', 'stty', 'sudo'] as const
export type Kind = (typeof kinds)[number]

const told = `printf '%s-%s=%s\\n' "$1" "$n" "$(printf %s "$p" | sha256sum | cut -c1-12)"`

const programs: Record<Kind, string> = {
  'read-s': `#!/bin/bash
for ((n = $2; n <= $3; n++)); do IFS= read -rs -p "$1-$n? " p; echo; ${told}; done
`,
  stty: `#!/bin/bash
for ((n = $2; n <= $3; n++)); do
  stty -echo; printf '%s-%s? ' "$1" "$n"; IFS= read -r p; stty echo; echo; ${told}
done
`,
  // On the terminal itself, with stdin elsewhere.
  sudo: `#!/bin/bash
exec 3<> /dev/tty < /dev/null
for ((n = $2; n <= $3; n++)); do
  stty -echo <&3; printf '%s-%s? ' "$1" "$n" >&3; IFS= read -r p <&3; stty echo <&3; echo; ${told}
done
`,
  getpass: `#!/usr/bin/python3
import getpass, hashlib, sys
tag, first, last = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
for n in range(first, last + 1):
    got = getpass.getpass(f'{tag}-{n}? ')
    print(f'{tag}-{n}=' + hashlib.sha256(got.encode()).hexdigest()[:12], flush=True)
`,
}

export async function writePrograms(folder: string): Promise<void> {
  for (const kind of kinds) await writeFile(join(folder, kind), programs[kind], { mode: 0o755 })
}

export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex').slice(0, 12)
}
