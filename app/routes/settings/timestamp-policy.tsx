import { timestampPolicies } from '#server/words/policies.ts'
import type { Route } from './+types/timestamp-policy'
import { decidedPolicy, decidePolicy } from './decide-policy.ts'
import { PolicyPage } from './policy-page.tsx'

export const handle = { hydrate: true, label: 'Sello de tiempo' }

export const meta: Route.MetaFunction = () => [{ title: 'Sello de tiempo al firmar · Rúbrica' }]

export const loader = async (args: Route.LoaderArgs) => ({
  policy: await decidedPolicy(args, 'timestampPolicy'),
})

export const action = (args: Route.ActionArgs) =>
  decidePolicy(args, 'timestampPolicy', {
    missing: 'Elija qué se hace sin sello de tiempo.',
    done: 'timestamp-policy-changed',
  })

export default function TimestampPolicyPage({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <PolicyPage
      title="Sello de tiempo al firmar"
      lead="Cada firma pide un sello de tiempo al primer proveedor que responda. Aquí se decide qué pasa cuando ninguno responde."
      name="timestampPolicy"
      label="Si ningún proveedor responde"
      choices={timestampPolicies}
      policy={loaderData.policy}
      refused={actionData}
    />
  )
}
