import { ok, refused, type Result } from '../../../base/result.ts'
import { ProviderKey } from '../../../protocol/provider.ts'

/** The first line with anything on it, if it is a key. */
export function keyIn(text: string, problem: string): Result<string, string> {
  const [line = ''] = text.trim().split('\n', 1)
  const key = ProviderKey.safeParse(line)
  return key.success ? ok(key.data) : refused(problem)
}
