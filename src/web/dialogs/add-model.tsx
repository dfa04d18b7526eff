import { type FormEvent, useEffect, useId, useState } from 'react'
import { addProvider, readModels } from '../../client/server.ts'
import type { PresetInfo, TriedProvider } from '../../protocol/http/server-routes.ts'
import { Button } from '../parts/buttons.tsx'
import { usePage } from '../state/page.ts'
import { closeDialog, modelsChanged } from '../state/panels.ts'
import { useSession } from '../state/session.ts'
import { complain } from '../state/toasts.ts'
import { Dialog } from './dialog.tsx'

/** The dialog’s way from a key to a model. */
type Phase = 'asking' | 'trying' | { tried: TriedProvider }

/** Takes the key of a service, tries it at once, and offers to talk to its model here. */
export function AddModel() {
  const { client } = usePage()
  const { submit } = useSession()
  const [presets, setPresets] = useState<readonly PresetInfo[]>([])
  const [fields, setFields] = useState(noFields)
  const [phase, setPhase] = useState<Phase>('asking')
  useEffect(() => {
    readModels(client).then((answer) => {
      const known = answer.presets ?? []
      setPresets(known)
      setFields((typed) => ({ ...typed, service: typed.service || (known[0]?.id ?? '') }))
    }, complain)
  }, [client])

  const preset = presets.find(({ id }) => id === fields.service)
  function change(typed: FieldValues): void {
    if (typed.service === fields.service) return setFields(typed)
    // A key is for the service that it was typed for, and so is what was said of it.
    setFields({ ...noFields, service: typed.service })
    setPhase('asking')
  }

  async function add(event: FormEvent): Promise<void> {
    event.preventDefault()
    setPhase('trying')
    try {
      const tried = await addProvider(client, nameOf(fields), bodyOf(fields, preset))
      setPhase({ tried })
      if (tried.kept) modelsChanged()
    } catch (error) {
      const says = error instanceof Error ? error.message : String(error)
      setPhase({ tried: { works: false, says, model: null, kept: false } })
    }
  }

  const tried = typeof phase === 'object' ? phase.tried : null
  const model = tried?.works === true ? tried.model : null
  return (
    <Dialog title="Add a model" className="new-session" onClose={closeDialog}>
      <form onSubmit={(event) => void add(event)} autoComplete="off">
        <h2>Add a model</h2>
        {model === null && (
          <Fields
            fields={fields}
            presets={presets}
            preset={preset}
            isUnlisted={tried !== null && tried.model === null}
            onChange={change}
          />
        )}
        <Outcome phase={phase} />
        <div className="dialog-buttons">
          <Button onClick={closeDialog}>{model === null ? 'Cancel' : 'Close'}</Button>
          {model === null ? (
            <Button isGo type="submit" disabled={phase === 'trying' || !isFilled(fields, preset)}>
              Try and add
            </Button>
          ) : (
            <Button
              isGo
              autoFocus
              onClick={() => {
                closeDialog()
                submit(`/model ${model}`)
              }}
            >
              Talk to it here
            </Button>
          )}
        </div>
      </form>
    </Dialog>
  )
}

/** The way of a test call, and what it said. */
function Outcome({ phase }: { phase: Phase }) {
  if (phase === 'trying') return <p role="status">Trying it…</p>
  if (phase === 'asking') return null
  const { works, says } = phase.tried
  return (
    <p className={works ? undefined : 'problem'} role={works ? 'status' : 'alert'}>
      {says}
    </p>
  )
}

const noFields = { service: '', name: '', key: '', address: '', model: '' }
type FieldValues = typeof noFields

/** A server of one’s own may have any name; a service has the name that it is known by. */
const isOwn = ({ service }: FieldValues) => service === 'server'
const nameOf = (fields: FieldValues) =>
  (isOwn(fields) && fields.name.trim().toLowerCase()) || fields.service

function bodyOf({ key, address, model }: FieldValues, preset: PresetInfo | undefined) {
  const hasAddress = preset?.address != null && address.trim() !== ''
  return {
    ...(key.trim() !== '' && { key: key.trim() }),
    ...(hasAddress && { baseUrl: address.trim() }),
    ...(model.trim() !== '' && { models: [model.trim()] }),
  }
}

function isFilled({ key, address }: FieldValues, preset: PresetInfo | undefined): boolean {
  if (preset === undefined || (preset.needsKey && key.trim() === '')) return false
  return preset.address === null || address.trim() !== ''
}

interface FieldsProps {
  fields: FieldValues
  presets: readonly PresetInfo[]
  preset: PresetInfo | undefined
  /** It was tried, and did not say which models it has. */
  isUnlisted: boolean
  onChange: (fields: FieldValues) => void
}

function Fields({ fields, presets, preset, isUnlisted, onChange }: FieldsProps) {
  const id = useId()
  const field = (name: keyof FieldValues) => ({
    id: `${id}-${name}`,
    value: fields[name],
    onChange: ({ target }: { target: { value: string } }) =>
      onChange({ ...fields, [name]: target.value }),
  })
  const isServer = preset?.address != null
  return (
    <>
      <label htmlFor={`${id}-service`}>Service</label>
      <select {...field('service')} autoFocus>
        {presets.map(({ id: service, label }) => (
          <option key={service} value={service}>
            {label}
          </option>
        ))}
      </select>
      {isOwn(fields) && (
        <>
          <label htmlFor={`${id}-name`}>Name</label>
          <input {...field('name')} spellCheck={false} placeholder="server" />
        </>
      )}
      {isServer && (
        <>
          <label htmlFor={`${id}-address`}>Address</label>
          <input {...field('address')} spellCheck={false} placeholder={preset.address ?? ''} />
        </>
      )}
      <label htmlFor={`${id}-key`}>
        {preset?.needsKey === false ? 'Key, if it wants one' : 'Key'}
      </label>
      {/* Not a password that a browser should keep. */}
      <input {...field('key')} type="password" autoComplete="off" spellCheck={false} />
      {(isServer || isUnlisted || fields.model !== '') && (
        <>
          <label htmlFor={`${id}-model`}>Model, if it does not list them</label>
          <input {...field('model')} spellCheck={false} />
        </>
      )}
      <p className="dialog-note">
        It is kept in a file that only you can read, and sent to this service alone.
      </p>
    </>
  )
}
