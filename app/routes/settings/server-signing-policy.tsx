import { serverSigningPolicies } from '#server/words/signing.ts'
import type { Route } from './+types/server-signing-policy'
import { decidedPolicy, decidePolicy } from './decide-policy.ts'
import { PolicyPage } from './policy-page.tsx'

export const handle = { hydrate: true, label: 'Firma en el servidor' }

export const meta: Route.MetaFunction = () => [{ title: 'Firma en el servidor · Rúbrica' }]

export const loader = async (args: Route.LoaderArgs) => ({
  policy: await decidedPolicy(args, 'serverSigning'),
})

export const action = (args: Route.ActionArgs) =>
  decidePolicy(args, 'serverSigning', {
    missing: 'Elija si se puede firmar en el servidor.',
    done: 'policy-changed',
  })

export default function ServerSigningPolicyPage({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <PolicyPage
      title="Firma en el servidor"
      lead="Algunos navegadores están configurados de modo que la página de firma no puede abrir la clave privada en el equipo. Esas personas ven en su lugar un formulario que envía la clave al servidor, que la usa en memoria para esa sola firma y la borra. Si no lo permite, firman en otro navegador o con un token. Vale también para los firmantes externos."
      name="serverSigning"
      label="Firma en el servidor"
      choices={serverSigningPolicies}
      policy={loaderData.policy}
      refused={actionData}
    />
  )
}
