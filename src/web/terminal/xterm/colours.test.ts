import { expect, test } from 'vitest'
import { palettes, textColours } from './colours.ts'

/** Relative luminance, as WCAG defines it. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

test('[WEB36] every colour of the terminal can be read on its ground, in both themes', () => {
  for (const palette of Object.values(palettes))
    for (const name of textColours)
      expect(contrast(palette[name], palette.background), name).toBeGreaterThanOrEqual(4.5)
})
