import { ExportPicker } from './export-picker.tsx'
import { Help } from './help.tsx'
import { ModelPicker } from './model-picker.tsx'
import { Palette } from './palette.tsx'
import type { Action } from './actions.ts'

interface SessionDialogProps {
  name: 'palette' | 'help' | 'models' | 'export'
  actions: readonly Action[]
  model: string | null
}

export function SessionDialog({ name, actions, model }: SessionDialogProps) {
  switch (name) {
    case 'palette':
      return <Palette actions={actions} />
    case 'help':
      return <Help actions={actions} />
    case 'models':
      return <ModelPicker current={model} />
    case 'export':
      return <ExportPicker />
  }
}
