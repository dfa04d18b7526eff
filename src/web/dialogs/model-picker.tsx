import { useEffect, useState } from 'react'
import { routes } from '../../protocol/routes.ts'
import type { ModelInfo } from '../../protocol/model-info.ts'
import { closeDialog } from '../state/dialog.ts'
import { usePage } from '../state/page.ts'
import { useSession } from '../state/session.ts'
import { complain } from '../state/toasts.ts'
import { Picker, type PickerItem } from './picker.tsx'

/** The models that can be had now; choosing one is `/model`, as if it had been typed. */
export function ModelPicker({ current }: { current: string | null }) {
  const { client, outbox } = usePage()
  const { id } = useSession()
  const [providers, setProviders] = useState<readonly ModelInfo[] | null>(null)
  const [words, setWords] = useState('')
  useEffect(() => {
    client.call(routes.models, {}).then((answer) => setProviders(answer.providers), complain)
  }, [client])
  const items = (providers ?? []).flatMap(({ provider, label, models, problem }): PickerItem[] =>
    models.length > 0
      ? models.map((model) => ({
          id: model,
          label: model,
          hint: model === current ? 'in use' : label,
          act: () => outbox.submit({ session: id, text: `/model ${model}`, as: 'auto' }),
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
      items={items.filter(({ label, hint = '' }) =>
        `${label} ${hint}`.toLowerCase().includes(words.toLowerCase()),
      )}
      onClose={closeDialog}
    />
  )
}
