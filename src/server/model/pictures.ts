import type { ModelSetup } from '../../protocol/events/epoch.ts'
import type { ImageRef } from '../../protocol/events/message.ts'
import type { Part } from '../../session/conversation/conversation.ts'
import { hashOf } from '../store/blob-hash.ts'
import { ModelError } from './model.ts'
import type { Models } from './models.ts'

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

const slots = /\x01([0-9a-f]{64})\x01/g

/** As JSON. */
export function dataUrl(ref: ImageRef): string {
  return `"data:${ref.mediaType};base64,${pictureSlot(ref)}"`
}

/** A picture’s bytes by their hash; null when they are gone. */
export type LoadPicture = (hash: string) => Promise<{ bytes: Buffer } | null>

/** The same models, which are sent the pictures of a session where its messages name them. */
export function withPictures(models: Models, load: LoadPicture): Models {
  return {
    ...models,
    async open(setup, signal) {
      const opened = await models.open(setup, signal)
      if (!opened.ok) return opened
      const model = opened.value
      return {
        ok: true,
        value: {
          ...model,
          async *reply(request, options) {
            const messages = await fillPictures(request.messages, load)
            yield* model.reply({ ...request, messages }, options)
          },
        },
      }
    },
  }
}

export async function fillPictures(
  messages: readonly string[],
  load: LoadPicture,
): Promise<readonly string[]> {
  const written = new Map<string, string>()
  for (const message of messages)
    for (const [, hash = ''] of message.matchAll(slots))
      if (!written.has(hash)) written.set(hash, await base64(hash, load))
  if (written.size === 0) return messages
  return messages.map((message) =>
    message.replaceAll(slots, (_, hash: string) => written.get(hash) ?? ''),
  )
}

/** Other bytes than those that were sent before would be another conversation. */
async function base64(hash: string, load: LoadPicture): Promise<string> {
  const picture = await load(hash)
  if (picture === null || hashOf(picture.bytes) !== hash)
    throw new ModelError(
      'A picture of this session is damaged or gone, so that it cannot go on. Begin a new one.',
      { code: 'model_config' },
    )
  return picture.bytes.toString('base64')
}
