import { useState } from 'react'
import { useExport } from '../sessions/use-export.ts'
import { closeDialog } from '../state/dialog.ts'
import { useSession } from '../state/session.ts'
import { Picker } from './picker.tsx'

const about: Readonly<Record<string, string>> = {
  md: 'a document to read',
  json: 'messages and runs',
  jsonl: 'the log itself, an event a line, private ones too',
  cast: 'the terminal’s recording, for asciinema, all that was on it',
  html: 'a page to read',
}

export function ExportPicker() {
  const { id } = useSession()
  const { formats, save } = useExport(id)
  const [words, setWords] = useState('')
  const items = formats
    .filter((format) => `${format} ${about[format] ?? ''}`.includes(words))
    .map((format) => ({
      id: format,
      label: `Export as ${format}`,
      hint: about[format] ?? '',
      act: () => void save(format),
    }))
  return (
    <Picker
      title="Export"
      placeholder="In which form?"
      words={words}
      onWords={setWords}
      items={items}
      onClose={closeDialog}
    />
  )
}
