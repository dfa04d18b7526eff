import { ExportPicker } from './export-picker.tsx'
import { Help } from './help.tsx'
import { ModelPicker } from './model-picker.tsx'
import { Palette } from './palette.tsx'
import { TeamDialog } from './team-dialog.tsx'
import type { Action } from './actions.ts'

interface SessionDialogProps {
  name: 'palette' | 'help' | 'models' | 'export' | 'team'
  actions: readonly Action[]
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
    case 'export':
      return <ExportPicker />
    case 'team':
      return <TeamDialog team={team} />
  }
}
