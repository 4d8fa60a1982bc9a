import type { Route } from './+types/idle-policy'
import { decidedPolicy, decidePolicy } from './decide-policy.ts'
import { idleLimits } from './limit-choices.ts'
import { PolicyPage } from './policy-page.tsx'

export const handle = { hydrate: true, label: 'Sesión sin actividad' }

export const meta: Route.MetaFunction = () => [{ title: 'Sesión sin actividad · Rúbrica' }]

export const loader = async (args: Route.LoaderArgs) => ({
  policy: await decidedPolicy(args, 'sessionIdle', idleLimits),
  choices: idleLimits.words,
})

export const action = (args: Route.ActionArgs) =>
  decidePolicy(
    args,
    'sessionIdle',
    { missing: 'Elija cuándo termina una sesión sin actividad.', done: 'policy-changed' },
    idleLimits.sent,
  )

export default function IdlePolicyPage({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <PolicyPage
      title="Sesión sin actividad"
      lead="Quien deja de usar el sistema durante este tiempo entra de nuevo y sigue donde estaba. Vale de inmediato, también para las sesiones abiertas."
      name="sessionIdle"
      label="Cuándo termina"
      choices={loaderData.choices}
      policy={loaderData.policy}
      refused={actionData}
    />
  )
}
