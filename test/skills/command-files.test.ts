import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { skillLimits } from '../../src/protocol/skill-limits.ts'
import { discoverCommandFiles } from '../../src/server/command-files/discover.ts'
import { skillHome } from './support/skill-home.ts'

test('[CFILE5] command files are found in six folders, the project’s first, subfolders joined by colons', async () => {
  const made = await skillHome()
  const folders = [
    ['work/.tandem/commands', 'md'],
    ['work/.claude/commands', 'md'],
    ['work/.gemini/commands', 'toml'],
    ['home/.config/tandem/commands', 'md'],
    ['home/.claude/commands', 'md'],
    ['home/.gemini/commands', 'toml'],
  ] as const
  for (const [at, [folder, syntax]] of folders.entries()) {
    const text = `From ${folder}.`
    const file = syntax === 'md' ? text : `prompt = "${text}"`
    for (const name of ['f', 'e', 'd', 'c', 'b', 'a/x/y'].slice(0, at + 1))
      await made.write(`${folder}/${name}.${syntax}`, file)
  }
  await made.write('work/.tandem/commands/notes.txt', 'no')
  await made.write('work/.tandem/commands/.hidden.md', 'no')
  await made.write('work/.tandem/commands/two words.md', 'no')
  const found = await discoverCommandFiles(made.place)
  expect(
    found.map(({ name, source, syntax, template }) => [name, source, syntax, template]),
  ).toEqual([
    ['a:x:y', 'user', 'toml', 'From home/.gemini/commands.'],
    ['b', 'user', 'md', 'From home/.claude/commands.'],
    ['c', 'user', 'md', 'From home/.config/tandem/commands.'],
    ['d', 'project', 'toml', 'From work/.gemini/commands.'],
    ['e', 'project', 'md', 'From work/.claude/commands.'],
    ['f', 'project', 'md', 'From work/.tandem/commands.'],
  ])
  const untrusted = await discoverCommandFiles({ ...made.place, trusted: false })
  expect(new Set(untrusted.map(({ source }) => source))).toEqual(new Set(['user']))
})

test.each([
  [
    '---\ndescription: Fixes it\nargument-hint: [issue] [how]\n---\nFix $1',
    'Fixes it [issue] [how]',
    'Fix $1',
  ],
  ['---\nargument-hint: <name>\n---\n# Say hello\nto $1', 'Say hello <name>', '# Say hello\nto $1'],
  ['\n\n## Do it\nnow', 'Do it', '## Do it\nnow'],
  ['Say\u001b[31m it', 'Say[31m it', 'Say[31m it'],
])(
  '[CFILE1] a Markdown command file %j has a description and a prompt',
  async (text, description, template) => {
    const made = await skillHome()
    await made.write('work/.claude/commands/fix.md', text)
    expect(await discoverCommandFiles(made.place)).toEqual([
      { name: 'fix', source: 'project', syntax: 'md', description, template },
    ])
  },
)

test.each([
  ['description = "Fixes"\nprompt = """\nFix {{args}}\n"now" """', 'Fixes', 'Fix {{args}}\n"now" '],
  ["prompt = '''\nSay \\n !{ls}\n'''\n[other]\nx = 1", 'Say \\n !{ls}', 'Say \\n !{ls}\n'],
  ['prompt = "a\\tb" # a comment', 'a b', 'a\tb'],
])(
  '[CFILE1] a TOML command file %j has a description and a prompt',
  async (text, description, template) => {
    const made = await skillHome()
    await made.write('work/.gemini/commands/fix.toml', text)
    expect(await discoverCommandFiles(made.place)).toEqual([
      { name: 'fix', source: 'project', syntax: 'toml', description, template },
    ])
  },
)

test('[CFILE5] what cannot be read, is empty, too large or outside the project is left out', async () => {
  const made = await skillHome()
  const folder = 'work/.tandem/commands'
  await made.write(`${folder}/empty.md`, '---\ndescription: x\n---\n\n')
  await made.write(`${folder}/broken.md`, '---\nname: [\n---\nx')
  await made.write(`${folder}/large.md`, 'x'.repeat(skillLimits.commandFileBytes + 1))
  await made.write('work/.gemini/commands/no-prompt.toml', 'description = "x"')
  await made.write('work/.gemini/commands/broken.toml', 'prompt = ')
  execFileSync('mkfifo', [join(made.root, folder, 'pipe.md')])
  await made.write('outside/secret.md', 'secret')
  symlinkSync(join(made.root, 'outside/secret.md'), join(made.root, folder, 'secret.md'))
  symlinkSync(join(made.root, 'outside'), join(made.root, folder, 'outside'))
  symlinkSync('.', join(made.root, folder, 'loop'))
  mkdirSync(join(made.home, '.claude'), { recursive: true })
  symlinkSync(join(made.root, 'outside'), join(made.home, '.claude/commands'))
  const found = await discoverCommandFiles(made.place)
  expect(found.map(({ name, source }) => [name, source])).toEqual([['secret', 'user']])
})

test('[CFILE5] there are at most so many command files', async () => {
  const made = await skillHome()
  for (let at = 0; at < skillLimits.commandFiles + 5; at += 1)
    await made.write(`work/.tandem/commands/${at % 7}/c${at}.md`, 'x')
  expect(await discoverCommandFiles(made.place)).toHaveLength(skillLimits.commandFiles)
})

test('[CFILE5] folders in folders and endless folders are looked at to a bound', async () => {
  const made = await skillHome()
  const deep = (levels: number) => Array.from({ length: levels }, () => 'd').join('/')
  const { commandFolderDepth: depth, folderEntries } = skillLimits
  await made.write(`work/.tandem/commands/${deep(depth)}/seen.md`, 'x')
  await made.write(`work/.tandem/commands/${deep(depth + 1)}/unseen.md`, 'x')
  for (let at = 0; at < folderEntries; at += 1)
    mkdirSync(join(made.root, 'work/.claude/commands', `a${at}`), { recursive: true })
  await made.write('work/.claude/commands/z.md', 'x')
  const found = await discoverCommandFiles(made.place)
  expect(found.map(({ name }) => name)).toEqual([`${deep(depth).replaceAll('/', ':')}:seen`])
})
