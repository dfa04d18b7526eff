import { LinkButton } from '../parts/buttons.tsx'
import { useSession } from '../state/session.ts'

/** Tells a session on the demo of a model that has appeared since, wherever its key was entered. */
export function ModelOffer({ model }: { model: string }) {
  const { submit } = useSession()
  return (
    <p className="model-offer" role="status">
      There is a language model now: <bdi>{model}</bdi>.{' '}
      <LinkButton onClick={() => submit(`/model ${model}`)}>Talk to it here</LinkButton>
    </p>
  )
}
