import { z } from 'zod'

/** Long enough for a busy tab to answer, short enough not to be noticed when there is none. */
const patienceMs = 400

const Word = z.discriminatedUnion('type', [
  z.object({ type: z.literal('wanted') }),
  z.object({ type: z.literal('token'), token: z.string() }),
])

/** Only pages of this very address hear each other here. */
const open = () => new BroadcastChannel('tandem-access')

/** Answers new tabs for as long as this one is open. */
export function answerSiblings(token: () => string | null): () => void {
  const channel = open()
  channel.addEventListener('message', ({ data }) => {
    const word = Word.safeParse(data)
    const mine = token()
    if (word.data?.type === 'wanted' && mine !== null)
      channel.postMessage({ type: 'token', token: mine })
  })
  return () => channel.close()
}

export function askSiblings(): Promise<string | null> {
  const channel = open()
  return new Promise<string | null>((resolve) => {
    setTimeout(() => resolve(null), patienceMs)
    channel.addEventListener('message', ({ data }) => {
      const word = Word.safeParse(data)
      if (word.data?.type === 'token') resolve(word.data.token)
    })
    channel.postMessage({ type: 'wanted' })
  }).finally(() => channel.close())
}
