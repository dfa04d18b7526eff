import type { ProviderBook } from './provider-book.ts'
import type { Provider } from '../providers.ts'

/** Somebody who set an address for Tandem means it; then keys that are there; then what answers here. */
export async function chooseInitial(book: ProviderBook): Promise<string> {
  const usable = book.all().filter((one) => one.id !== 'demo' && book.problemOf(one) === null)
  const isSetUp = ({ keys, own, needsKey }: Provider) =>
    keys.length > 0 || needsKey || own !== undefined
  for (const { id } of usable.filter(isSetUp)) {
    const found = await book.defaultOf(id)
    if (found.ok) return `${id}/${found.value.name}`
    if (id === 'openai-compatible') return `${id}/default`
  }
  // All are asked at once: one that listens and says nothing must not keep the others waiting.
  const local = usable.filter((one) => !isSetUp(one))
  const lists = await Promise.all(local.map((one) => book.listOf(one)))
  for (const [at, { id }] of local.entries()) {
    const [first] = lists[at]?.models ?? []
    if (first !== undefined) return `${id}/${first.name}`
  }
  return 'demo/offline'
}
