import type { ExportFormat } from '../../protocol/http/page-routes.ts'
import { exportSession } from '../../client/session/records.ts'
import type { SessionId } from '../../protocol/events/seq.ts'
import { usePage } from '../state/page.ts'
import { complain } from '../state/toasts.ts'

/** Saves a session as a file, in any form the server can write. */
export function useExport(id: SessionId): (format: ExportFormat) => Promise<void> {
  const { client } = usePage()
  return (format) =>
    exportSession(client, id, { format }).then(
      (text) => download(text, `tandem-${id.slice(0, 8)}.${format}`),
      complain,
    )
}

function download(text: string, name: string): void {
  const blob = new Blob([text], { type: 'application/octet-stream' })
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  // The browser has taken it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
