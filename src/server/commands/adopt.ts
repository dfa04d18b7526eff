import type { Terminal } from '../terminal/terminal.ts'
import { type EdgeAnswer, failed, told } from './edge-answer.ts'

/** `/adopt`: the model reads of it in a record of its own. */
export function adoptCommand({ adopt }: Pick<Terminal, 'adopt'>): () => Promise<EdgeAnswer> {
  return async () => {
    const adopted = await adopt()
    if (!adopted.ok) return failed(adopted.error)
    const { shell, place, cwd } = adopted.value
    return told(`Commands run in ${shell} of ${place} now, in ${cwd}, until it ends.`)
  }
}
