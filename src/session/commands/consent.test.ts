import { expect, test } from 'vitest'
import { sessionRoutes } from '../../protocol/http/session-routes.ts'
import { approve } from './answers.ts'
import { commands } from './registry.ts'
import { trust } from './settings.ts'

const words = commands.flatMap(({ name, aliases = [] }) => [name, ...aliases])
const { approves } = sessionRoutes.send

test('[SEC7] of all commands just those that say yes or trust a folder are a person’s alone, however they are written', () => {
  const consents = [approve, trust].flatMap(({ name, aliases = [] }) => [name, ...aliases])
  for (const spelled of [(word: string) => `/${word}`, (word: string) => ` \n/${word} x`])
    expect(words.filter((word) => approves({ text: spelled(word) })).toSorted()).toEqual(
      consents.toSorted(),
    )
})
