import type { ModelSetup } from '../../protocol/events/epoch.ts'
import { type Model, ModelError } from './model.ts'
import { wireOf } from './wires.ts'

/** A reasoning model may think before its first word; whoever waits for a test does not wait longer. */
const patienceMs = 20_000

/** Asks for one word. Null: it works; else the sentence that says why not. A server that has listed its models is there. */
export async function tryModel(
  model: Model,
  { isListed }: { isListed: boolean },
): Promise<string | null> {
  const silent = `It has said nothing for ${patienceMs / 1_000} s. ${isListed ? loading : 'Is its address right?'}`
  const end = new AbortController()
  const timer = setTimeout(() => end.abort(), patienceMs)
  let isAnswered = false
  try {
    const request = { setup: model.setup, messages: question(model.setup), sent: 0 }
    const heard = () => {
      isAnswered = true
    }
    // Its first sign of a reply is enough: the key, the address and the model’s name are right.
    for await (const _ of model.reply(request, { signal: end.signal, heard })) return null
    return isAnswered ? null : silent
  } catch (error) {
    if (end.signal.aborted) return isAnswered ? null : silent
    return error instanceof ModelError ? error.message : 'It cannot be used, for an unknown reason.'
  } finally {
    clearTimeout(timer)
    end.abort()
  }
}

const loading = 'It lists its models, so it may still be loading this one: try again in a while.'

function question(setup: ModelSetup): readonly string[] {
  const part = { kind: 'prompt', seq: 1, text: 'Say only the word: ready' } as const
  return wireOf(setup.adapter).taken({ kind: 'taken', seq: 1, parts: [part], gap: false }, setup)
}
