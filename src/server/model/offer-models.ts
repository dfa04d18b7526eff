import { type Model, ModelError } from './model.ts'

/** So many names fit into a sentence. */
const offered = 8

/** The same model, whose provider’s “there is no such model” also says which there are. */
export function withOffer(
  model: Model,
  { name, others }: { name: string; others: () => Promise<readonly string[]> },
): Model {
  return {
    ...model,
    async *reply(request, options) {
      try {
        yield* model.reply(request, options)
      } catch (error) {
        if (!(error instanceof ModelError) || error.code !== 'model_config') throw error
        const all = await others()
        if (all.length === 0 || all.includes(name)) throw error
        throw new ModelError(`${error.message} ${offer(all)}`, { code: error.code, cause: error })
      }
    },
  }
}

function offer(all: readonly string[]): string {
  const more = all.length > offered ? `, and ${all.length - offered} more` : ''
  const [first = ''] = all
  return `There are: ${all.slice(0, offered).join(', ')}${more}. Take one with: /model ${first}`
}
