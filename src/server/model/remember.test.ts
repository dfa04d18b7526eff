import { expect, test } from 'vitest'
import { rememberUnlessFailed } from './open-model.ts'

test('[MODEL7] a provider’s module that could not be loaded once is loaded the next time, and then kept', async () => {
  const remember = rememberUnlessFailed<string>()
  let tries = 0
  const load = async () => {
    tries += 1
    if (tries === 1) throw new Error('too many open files')
    return 'the module'
  }
  const first = [remember('a', load), remember('a', load)]
  for (const failed of first) await expect(failed).rejects.toThrow('too many open files')
  expect(tries).toBe(1)
  expect(await remember('a', load)).toBe('the module')
  expect(await remember('a', load)).toBe('the module')
  expect(tries).toBe(2)
})
