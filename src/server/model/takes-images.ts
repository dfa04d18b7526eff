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
  const taker = Object.hasOwn(takers, adapter) ? takers[adapter] : undefined
  return taker?.models.test(name) ? taker.types : []
}
