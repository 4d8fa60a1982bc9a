import { reminderPolicies } from '#server/words/signing.ts'
import type { Route } from './+types/reminder-policy'
import { decidedPolicy, decidePolicy } from './decide-policy.ts'
import { PolicyPage } from './policy-page.tsx'

export const handle = { hydrate: true, label: 'Recordatorios automáticos' }

export const meta: Route.MetaFunction = () => [{ title: 'Recordatorios automáticos · Rúbrica' }]

export const loader = async (args: Route.LoaderArgs) => ({
  policy: await decidedPolicy(args, 'reminders'),
})

export const action = (args: Route.ActionArgs) =>
  decidePolicy(args, 'reminders', {
    missing: 'Elija cuándo se recuerda a quien falta por firmar.',
    done: 'policy-changed',
  })

export default function ReminderPolicyPage({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <PolicyPage
      title="Recordatorios automáticos"
      lead="A quien no ha firmado cuando es su turno se le escribe de nuevo, contando desde el día en que le tocó. No se envían si la sesión terminó o su fecha límite pasó, si la persona no tiene correo, ni si alguien le envió un recordatorio en las últimas doce horas. El cambio vale también para quienes ya esperan; los plazos que ya pasaron no se envían después."
      name="reminders"
      label="Cuándo se envían"
      choices={reminderPolicies}
      policy={loaderData.policy}
      refused={actionData}
    />
  )
}
