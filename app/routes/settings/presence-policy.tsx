import { presencePolicies } from '#server/words/signing.ts'
import type { Route } from './+types/presence-policy'
import { decidedPolicy, decidePolicy } from './decide-policy.ts'
import { PolicyPage } from './policy-page.tsx'

export const handle = { hydrate: true, label: 'Presencia al firmar' }

export const meta: Route.MetaFunction = () => [{ title: 'Presencia al firmar · Rúbrica' }]

export const loader = async (args: Route.LoaderArgs) => ({
  policy: await decidedPolicy(args, 'presence'),
})

export const action = (args: Route.ActionArgs) =>
  decidePolicy(args, 'presence', {
    missing: 'Elija si se pide comprobar la presencia.',
    done: 'presence-policy-changed',
  })

export default function PresencePolicyPage({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <PolicyPage
      title="Presencia al firmar"
      lead="Antes de firmar, cada persona de la notaría comprueba que está frente a la pantalla con su llave de seguridad o su aplicación de códigos. Vale cinco minutos para los documentos que se le muestran y queda como evidencia; no es una firma electrónica. Los firmantes externos comprueban su presencia solo con su e.firma."
      name="presence"
      label="Presencia antes de firmar"
      help="Quien no tenga llave ni aplicación de códigos no podrá firmar hasta configurar una."
      choices={presencePolicies}
      policy={loaderData.policy}
      refused={actionData}
    />
  )
}
