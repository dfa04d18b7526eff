import { useState, useEffect } from 'react'
import { useExport } from '../sessions/use-export.ts'
import { closeDialog, dialog } from '../state/panels.ts'
import { useSession } from '../state/session.ts'
import { Picker, type PickerItem } from './picker.tsx'
import { readModels } from '../../client/server.ts'
import { ExportFormat } from '../../protocol/http/page-routes.ts'
import type { ModelInfo } from '../../protocol/http/server-routes.ts'
import { usePage } from '../state/page.ts'
import { complain } from '../state/toasts.ts'
import { AddModel } from './add-model.tsx'
import { Help } from './help.tsx'
import { Palette } from './palette.tsx'
import { TeamDialog } from './team-dialog.tsx'
import type { PageAction } from '../layout/use-actions.ts'

const about: Readonly<Record<string, string>> = {
  md: 'a document to read',
  json: 'messages and runs',
  jsonl: 'the log itself, an event a line, private ones too',
  cast: 'the terminal’s recording, for asciinema, all that was on it',
  html: 'a page to read',
}

function ExportPicker() {
  const { id } = useSession()
  const save = useExport(id)
  const [words, setWords] = useState('')
  const items = ExportFormat.options
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

/** The models that can be had now; choosing one is `/model`, as if it had been typed. */
function ModelPicker({ current }: { current: string | null }) {
  const { client } = usePage()
  const { submit } = useSession()
  const [providers, setProviders] = useState<readonly ModelInfo[] | null>(null)
  const [words, setWords] = useState('')
  useEffect(() => {
    readModels(client).then((answer) => setProviders(answer.providers), complain)
  }, [client])
  const items = (providers ?? []).flatMap(({ provider, label, models, problem }): PickerItem[] =>
    models.length > 0
      ? models.map((model) => ({
          id: model,
          label: model,
          hint: model === current ? 'in use' : label,
          act: () => submit(`/model ${model}`),
        }))
      : [{ id: provider, label, hint: problem ?? 'no model', act: null }],
  )
  return (
    <Picker
      title="Models"
      placeholder="Choose a model"
      words={words}
      onWords={setWords}
      // Some of them may be slow to answer, or not answer at all.
      none={providers === null ? 'Looking for models…' : undefined}
      items={[...items, another].filter(({ label, hint = '' }) =>
        `${label} ${hint}`.toLowerCase().includes(words.toLowerCase()),
      )}
      onClose={closeDialog}
    />
  )
}

const another: PickerItem = {
  id: 'add-model',
  label: 'Add a model…',
  hint: 'with its key',
  act: () => dialog.set('add-model'),
}

export interface SessionDialogProps {
  name: 'palette' | 'help' | 'models' | 'add-model' | 'export' | 'team'
  actions: readonly PageAction[]
  model: string | null
  team: string
}

export function SessionDialog({ name, actions, model, team }: SessionDialogProps) {
  switch (name) {
    case 'palette':
      return <Palette actions={actions} />
    case 'help':
      return <Help actions={actions} />
    case 'models':
      return <ModelPicker current={model} />
    case 'add-model':
      return <AddModel />
    case 'export':
      return <ExportPicker />
    case 'team':
      return <TeamDialog team={team} />
  }
}
