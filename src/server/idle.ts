import type { OwnedHosts } from './hosts.ts'
import type { HttpServer } from './http/server.ts'

export interface IdleDeps {
  /** 0 = never. */
  idleMs: number
  http: Pick<HttpServer, 'idleSince'>
  hosts: Pick<OwnedHosts, 'isBusy'>
  end(): Promise<void>
}

/** Ends a server that nobody is connected to and that has no run or turn under way. */
export function watchIdle({ idleMs, http, hosts, end }: IdleDeps): () => void {
  if (idleMs === 0) return () => undefined
  const timer = setInterval(
    () => {
      const since = http.idleSince()
      if (since === null || hosts.isBusy() || performance.now() - since < idleMs) return
      clearInterval(timer)
      void end()
    },
    Math.min(idleMs, 30_000),
  )
  timer.unref()
  return () => clearInterval(timer)
}
