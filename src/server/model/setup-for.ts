import type { Dialect, ModelSetup } from '../../protocol/events/epoch.ts'
import type { ListedModel } from './list/list-page.ts'
import type { Provider } from './providers.ts'
import { setupOf } from './setup.ts'

/** A model by its provider and the name that this one knows it by. */
export interface NamedModel {
  provider: Provider
  name: string
}

export interface SetupWishes {
  /** For all providers; null takes the preferred dialect of each. */
  dialect: Dialect | null
  /** Whether user and assistant come strictly in turn; null: as servers of this kind usually want it. */
  strict: boolean | null
  /** The dialect that the session speaks already; null: none yet. It goes before every wish. */
  spoken?: Dialect | null | undefined
  /** As far as they are known. */
  sizes?: Omit<ListedModel, 'name'> | undefined
}

/** The set-up that an epoch with this model freezes. */
export function setupFor({ provider, name }: NamedModel, wishes: SetupWishes): ModelSetup {
  const model = `${provider.id}/${name}`
  const { own = {}, adapter } = provider
  const { sizes } = wishes
  const images = imagesOf(adapter, name)
  const strict = own.strict ?? wishes.strict
  // A server that needs strict turns has no place for native calls.
  if (strict === true && adapter === 'openai-chat')
    return setupOf({ model, adapter: 'openai-chat-strict', dialect: 'tags', images, sizes })
  const dialect = dialectOf({ provider, name }, wishes)
  // Mistral’s and Gemma’s templates raise at two users in a row; no server minds them in turn.
  const isStrict = provider.isCompatible === true && strict === null && dialect === 'tags'
  const wire = isStrict && adapter === 'openai-chat' ? 'openai-chat-strict' : adapter
  return setupOf({ model, adapter: wire, dialect, images, sizes })
}

function dialectOf({ provider, name }: NamedModel, wishes: SetupWishes): Dialect {
  const usual = usualDialect(provider, name)
  if (provider.id === 'demo') return usual
  return wishes.spoken ?? provider.own?.dialect ?? wishes.dialect ?? usual
}

function usualDialect({ dialect, others }: Provider, name: string): Dialect {
  if (others?.test(name) !== true) return dialect
  return dialect === 'tags' ? 'tools' : 'tags'
}

const still = ['image/png', 'image/jpeg', 'image/webp']

/** By adapter: which pictures models take, and which of its models do. */
const takers: Readonly<Record<string, { types: readonly string[]; models: RegExp }>> = {
  anthropic: { types: [...still, 'image/gif'], models: /^(?!claude-(instant|[12]))/ },
  // Google refuses GIF.
  gemini: { types: still, models: /^/ },
  // OpenAI refuses a GIF that moves, and every later request with it.
  'openai-responses': {
    types: still,
    models: /^(?!gpt-3|gpt-4(-\d|-32k|$)|o1-(mini|preview)|o3-mini)/,
  },
  // Any server speaks chat completions, and most models there read text only: known names alone.
  'openai-chat': {
    types: still,
    models:
      /gpt-(4o|4\.1|4-turbo|[5-9])|^o[34]($|-(?!mini))|claude-|gemini-|llava|vision|-vl\b|vl-|pixtral/,
  },
}

/** Media types of the pictures that a model takes; empty when it takes none. Frozen with its epoch. */
export function imagesOf(adapter: string, name: string): readonly string[] {
  const shape = adapter === 'openai-chat-strict' ? 'openai-chat' : adapter
  const taker = Object.hasOwn(takers, shape) ? takers[shape] : undefined
  return taker?.models.test(name) ? taker.types : []
}
