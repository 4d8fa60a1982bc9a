import { constanciaPolicies } from '#server/words/policies.ts'
import type { Route } from './+types/constancia-policy'
import { decidedPolicy, decidePolicy } from './decide-policy.ts'
import { PolicyPage } from './policy-page.tsx'

export const handle = { hydrate: true, label: 'Constancias' }

export const meta: Route.MetaFunction = () => [{ title: 'Constancias NOM-151 · Rúbrica' }]

export const loader = async (args: Route.LoaderArgs) => ({
  policy: await decidedPolicy(args, 'constanciaPolicy'),
})

export const action = (args: Route.ActionArgs) =>
  decidePolicy(args, 'constanciaPolicy', {
    missing: 'Elija cuándo se solicitan constancias.',
    done: 'constancia-policy-changed',
  })

export default function ConstanciaPolicyPage({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <PolicyPage
      title="Constancias NOM-151"
      lead="El prestador cobra por cada constancia. De cada archivo se solicita una sola, y nunca se repite la que ya se emitió."
      name="constanciaPolicy"
      label="Cuándo se solicita"
      choices={constanciaPolicies}
      policy={loaderData.policy}
      refused={actionData}
    />
  )
}
