import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll } from 'vitest'
import type { TestServer } from '../../support/server.ts'
import { launchBrowser, startVisit, type Visit, type VisitOptions } from './visit.ts'

/** A browser for all tests of a file; what a test opens is closed after it. */
export function useBrowser(): (server: TestServer, options?: VisitOptions) => Promise<Visit> {
  let browser: Browser
  const open = new Set<Visit>()
  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterEach(async () => {
    for (const visit of open) await visit.close()
    open.clear()
  })
  afterAll(() => browser.close())
  return async (server, options) => {
    const visit = await startVisit(browser, server, options)
    open.add(visit)
    return visit
  }
}
