import type { Route } from './+types/second-factor-policy'
import { decidedPolicy, decidePolicy } from './decide-policy.ts'
import { PolicyPage } from './policy-page.tsx'
import { secondFactorChoices } from './second-factor-choices.ts'

export const handle = { hydrate: true, label: 'Verificación en dos pasos' }

export const meta: Route.MetaFunction = () => [{ title: 'Verificación en dos pasos · Rúbrica' }]

export const loader = async (args: Route.LoaderArgs) => ({
  policy: await decidedPolicy(args, 'secondFactorGrace', secondFactorChoices),
  choices: secondFactorChoices.words,
})

export const action = (args: Route.ActionArgs) =>
  decidePolicy(
    args,
    'secondFactorGrace',
    { missing: 'Elija cuándo se exige la verificación en dos pasos.', done: 'policy-changed' },
    secondFactorChoices.sent,
  )

export default function SecondFactorPolicyPage({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <PolicyPage
      title="Verificación en dos pasos"
      lead="Además de su contraseña, cada persona comprueba con una llave de seguridad o un código que es ella. Quien no la haya configurado cuando se exige lo hace antes de seguir: en su próxima página, si ya entró."
      name="secondFactorGrace"
      label="Cuándo se exige"
      choices={loaderData.choices}
      policy={loaderData.policy}
      refused={actionData}
    />
  )
}
