import type { ModelSetup } from '../../../protocol/epoch.ts'
import type { ImageRef } from '../../../protocol/message.ts'
import type { Part } from '../../../session/conversation.ts'

/** The pictures of a part that the model takes. What others are is told by the part’s text. */
export function picturesOf(part: Part, { images = [] }: ModelSetup): readonly ImageRef[] {
  if (part.kind !== 'record' || part.images === undefined) return []
  return part.images.filter(({ mediaType }) => images.includes(mediaType))
}

/**
 * Stands for a picture’s bytes in base64 until the request is sent, so that a conversation does not
 * hold them all, and is measured by their hash. No text can hold it: JSON has no bare control sign.
 */
export function pictureSlot({ blob }: ImageRef): string {
  return `\x01${blob}\x01`
}

export const slots = /\x01([0-9a-f]{64})\x01/g

/** As JSON. */
export function dataUrl(ref: ImageRef): string {
  return `"data:${ref.mediaType};base64,${pictureSlot(ref)}"`
}
