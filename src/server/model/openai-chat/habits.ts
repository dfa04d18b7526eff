import type { ModelSetup } from '../../../protocol/events/epoch.ts'

/** Rules of single models beside the protocol, by which they refuse a conversation that others had. */
export interface Habits {
  /** Mistral: behind the result of a call only a reply may stand. */
  repliesToResults: boolean
  /** DeepSeek: a message with calls has `reasoning_content`, also of a model that thought nothing. */
  thinksBeforeCalls: boolean
  /** Gemini 3: the first call of a message has a signature, or the word that stands for one. */
  signsCalls: boolean
}

const mistral = /mistral|mixtral|codestral|devstral|magistral|ministral|pixtral/i
const deepseek = /deepseek-?(reasoner|v\d)|^deepseek\/(?!deepseek-chat)/i
const gemini = /gemini-(?![12][.-])/i

/** By the model’s name, whoever serves it. Epochs of before keep their shape. */
export function habitsOf({ model, wireVersion = 1 }: ModelSetup): Habits {
  const has = (names: RegExp) => wireVersion >= 3 && names.test(model)
  return {
    repliesToResults: has(mistral),
    thinksBeforeCalls: has(deepseek),
    signsCalls: has(gemini),
  }
}

/** Google’s word for a call that it did not make. */
export const unsignedCall = {
  extra_content: { google: { thought_signature: 'skip_thought_signature_validator' } },
} as const
