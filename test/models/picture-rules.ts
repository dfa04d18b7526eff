import { sniff } from '../../src/server/mentions/sniff.ts'

/** Why a provider would not take a picture, as all of them see it; null if it would. */
export function pictureProblem(
  data: string,
  mediaType: string,
  taken: readonly string[],
): string | null {
  if (!taken.includes(mediaType)) return `Unsupported MIME type: ${mediaType}`
  if (data.length > 5 * 1024 * 1024) return 'image exceeds 5 MB maximum'
  const bytes = Buffer.from(data, 'base64')
  if (bytes.length === 0 || bytes.toString('base64') !== data) return 'invalid base64 data'
  const found = sniff(bytes)
  const isSame = found.kind === 'image' && found.mediaType === mediaType
  return isSame ? null : `the image was specified as ${mediaType}, but is not`
}

/** The same for a data URL. */
export function dataUrlProblem(url: string, taken: readonly string[]): string | null {
  const [, mediaType = '', data = ''] = /^data:([^;]+);base64,(.*)$/s.exec(url) ?? []
  return mediaType === '' ? 'Invalid image_url.' : pictureProblem(data, mediaType, taken)
}

export const stillTypes = ['image/png', 'image/jpeg', 'image/webp']
