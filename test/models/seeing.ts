import type { Model } from '../../src/server/model/model.ts'
import { fillPictures } from '../../src/server/model/pictures.ts'
import { hashOf } from '../../src/server/store/blob-hash.ts'
import { png } from '../support/pictures.ts'

const bytes = png(2, 1)
export const pictureBase64 = bytes.toString('base64')
export const picture = { blob: hashOf(bytes), mediaType: 'image/png' }

/** The same model, which takes pictures where its wire has a place for them. */
export function seeing(model: Model): Model {
  const isStrict = model.setup.adapter === 'openai-chat-strict'
  const setup = { ...model.setup, ...(!isStrict && { images: ['image/png'] }) }
  return {
    setup,
    async *reply(request, options) {
      const messages = await fillPictures(request.messages, async () => ({ bytes }))
      yield* model.reply({ ...request, messages }, options)
    },
  }
}
