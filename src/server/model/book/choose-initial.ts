import { setTimeout as delay } from 'node:timers/promises'
import type { ProviderBook } from './provider-book.ts'
import type { Provider } from '../providers.ts'

/** The model of sessions that have not chosen one; a person who named one has chosen for all of them. */
export function createChoice(book: ProviderBook, named: string | null) {
  let model = named ?? 'demo/offline'
  let choices = 0
  let choosing: Promise<void> | null = null

  /** The newest of several choices at once counts. */
  async function choose(): Promise<void> {
    choices += 1
    const own = choices
    const found = await (named === null ? chooseInitial(book) : book.named(named))
    if (own === choices) model = found
  }

  function chooseOnce(): Promise<void> {
    choosing ??= choose().finally(() => {
      choosing = null
    })
    return choosing
  }

  void chooseOnce()
  return {
    model: () => model,
    choose,
    /** A list that could not be had, as the network was down for a moment, may be there by now. */
    async settled(longestMs: number): Promise<void> {
      if (isMakeshift(model)) void chooseOnce()
      await Promise.race([choosing, delay(longestMs, undefined, { ref: false })])
    },
  }
}

/** Taken for want of a list: none of a provider's models, or one whose name was never heard. */
function isMakeshift(model: string): boolean {
  return model.startsWith('demo/') || model.endsWith('/default') || !model.includes('/')
}

const isSetUp = ({ keys, own, needsKey }: Provider) =>
  keys.length > 0 || needsKey || own !== undefined

/** Somebody who set an address for Tandem means it; then keys that are there; then what answers here. */
async function chooseInitial(book: ProviderBook): Promise<string> {
  const usable = book.all().filter((one) => one.id !== 'demo' && book.problemOf(one) === null)
  const setUp = usable.filter(isSetUp)
  const local = usable.filter((one) => !isSetUp(one))
  return (await amongSetUp(book, setUp)) ?? (await amongLocal(book, local)) ?? 'demo/offline'
}

/** One that says nothing of its models, or takes no key, is the second choice. */
async function amongSetUp(book: ProviderBook, all: readonly Provider[]): Promise<string | null> {
  let presumed: string | null = null
  for (const one of all) {
    const { id } = one
    const found = await book.defaultOf(id)
    const model = found.ok ? `${id}/${found.value.name}` : null
    if (id === 'openai-compatible') return model ?? `${id}/default`
    if (model !== null && (await book.listOf(one)).problem === null) return model
    presumed ??= model
  }
  return presumed
}

/** All are asked at once: one that listens and says nothing must not keep the others waiting. */
async function amongLocal(book: ProviderBook, all: readonly Provider[]): Promise<string | null> {
  const lists = await Promise.all(all.map((one) => book.listOf(one)))
  const at = lists.findIndex(({ models }) => models.length > 0)
  const [first] = lists[at]?.models ?? []
  return first === undefined ? null : `${all[at]?.id}/${first.name}`
}
