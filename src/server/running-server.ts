/** A server as the process that started or found it sees it. */
export interface RunningServer {
  url: string
  token: string
  pid: number
  /** Logs one browser in, once. */
  startUrl: string
  tokenFile: string
  /** Another process serves this data folder already; this describes it. */
  attached: boolean
  closed: Promise<void>
  close(): Promise<void>
}
