import type { SkillPlace } from './skill-folders.ts'

/** The file by which the server tells the program where it is. */
export function writePlace({ workspace, trusted, env }: SkillPlace): string {
  const { HOME, XDG_CONFIG_HOME } = env
  return JSON.stringify({ workspace, trusted, env: { HOME, XDG_CONFIG_HOME } })
}

/** Null when the file is gone or is not ours. */
export function readPlace(read: () => string): SkillPlace | null {
  try {
    const value: unknown = JSON.parse(read())
    return isPlace(value) ? value : null
  } catch {
    return null
  }
}

function isPlace(value: unknown): value is SkillPlace {
  return (
    typeof value === 'object' &&
    value !== null &&
    'workspace' in value &&
    typeof value.workspace === 'string' &&
    'trusted' in value &&
    typeof value.trusted === 'boolean' &&
    'env' in value &&
    typeof value.env === 'object' &&
    value.env !== null
  )
}
