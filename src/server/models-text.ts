import type { ModelInfo } from '../protocol/model-info.ts'

const shown = 8

/** The models there are, for a person. */
export function modelsText(list: readonly ModelInfo[]): string {
  return list.map(line).join('\n')
}

function line({ label, reachable, problem, models }: ModelInfo): string {
  if (!reachable) return `- ${label}: ${problem ?? 'It cannot be used.'}`
  const more = models.length > shown ? `, and ${models.length - shown} more` : ''
  return `- ${label}: ${models.slice(0, shown).join(', ') || 'it names no models'}${more}`
}
