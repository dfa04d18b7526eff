import fc from 'fast-check'
import { expect, test } from 'vitest'
import { skillLimits } from '../../protocol/skill-limits.ts'
import { skillsText } from './world.ts'

test('[SKILL14] the first record names each skill with its description and says how to activate one', () => {
  const skills = [
    { name: 'review-code', description: 'Reviews code.\nUse it for changes.' },
    { name: 'tidy', description: 'Tidies up.' },
  ]
  for (const dialect of ['tags', 'tools'] as const) {
    expect(skillsText([], dialect)).toBe('')
    const text = skillsText(skills, dialect)
    expect(text.split('\n').slice(1)).toEqual([
      '- review-code: Reviews code. Use it for changes.',
      '- tidy: Tidies up.',
    ])
    // A model that writes tags has no tool to call.
    expect(text.includes('activate_skill')).toBe(dialect === 'tools')
    expect(text).toContain('skill show NAME')
  }
})

test('[SKILL14] the record is bounded: long descriptions are cut first, and what does not fit is counted', () =>
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 200 }),
      fc.integer({ min: 1, max: 1_024 }),
      (count, length) => {
        const skills = Array.from({ length: count }, (_, at) => ({
          name: `skill-${at}`,
          description: 'd'.repeat(length),
        }))
        const text = skillsText(skills, 'tools')
        expect(text.length).toBeLessThanOrEqual(skillLimits.textChars + 80)
        const lines = text.split('\n').slice(1)
        const more = /^- and (\d+) more/.exec(lines.at(-1) ?? '')
        const shown = more === null ? lines.length : lines.length - 1
        expect(shown + Number(more?.[1] ?? 0)).toBe(count)
        if (count * (length + 13) < 15_000)
          expect(text).toContain(`- skill-0: ${'d'.repeat(length)}`)
      },
    ),
  ))

test('[SKILL14] a description that is cut keeps its beginning', () => {
  const description = 'd'.repeat(skillLimits.descriptionChars)
  const skills = Array.from({ length: 30 }, (_, at) => ({ name: `skill-${at}`, description }))
  const [, first = ''] = skillsText(skills, 'tools').split('\n')
  expect(first).toBe(`- skill-0: ${'d'.repeat(skillLimits.shortDescriptionChars - 1)}…`)
})
