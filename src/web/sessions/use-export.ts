import { ExportFormat } from '../../protocol/page-routes.ts'
import { routes } from '../../protocol/routes.ts'
import type { SessionId } from '../../protocol/seq.ts'
import { usePage } from '../state/page.ts'
import { complain } from '../state/toasts.ts'

/** Saves a session as a file, in any form the server can write. */
export function useExport(id: SessionId): {
  formats: readonly ExportFormat[]
  save: (format: ExportFormat) => Promise<void>
} {
  const { client } = usePage()
  return {
    formats: ExportFormat.options,
    async save(format) {
      try {
        const text = await client.document(routes.export, { params: { id }, query: { format } })
        download(
          new Blob([text], { type: 'application/octet-stream' }),
          `tandem-${id.slice(0, 8)}.${format}`,
        )
      } catch (error) {
        complain(error)
      }
    },
  }
}

function download(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  // The browser has taken it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
