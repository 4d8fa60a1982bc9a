import type { Route } from './+types/session-length-policy'
import { decidedPolicy, decidePolicy } from './decide-policy.ts'
import { absoluteLimits } from './limit-choices.ts'
import { PolicyPage } from './policy-page.tsx'

export const handle = { hydrate: true, label: 'Sesión continua' }

export const meta: Route.MetaFunction = () => [{ title: 'Sesión continua · Rúbrica' }]

export const loader = async (args: Route.LoaderArgs) => ({
  policy: await decidedPolicy(args, 'sessionAbsolute', absoluteLimits),
  choices: absoluteLimits.words,
})

export const action = (args: Route.ActionArgs) =>
  decidePolicy(
    args,
    'sessionAbsolute',
    { missing: 'Elija cuándo termina una sesión continua.', done: 'policy-changed' },
    absoluteLimits.sent,
  )

export default function SessionLengthPolicyPage({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <PolicyPage
      title="Sesión continua"
      lead="Ninguna sesión dura más, aunque se use todo el tiempo. Vale para quien entre desde ahora: las sesiones abiertas terminan cuando estaba previsto."
      name="sessionAbsolute"
      label="Cuándo termina"
      choices={loaderData.choices}
      policy={loaderData.policy}
      refused={actionData}
    />
  )
}
