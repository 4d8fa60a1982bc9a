import type { Route } from './+types/upload-limit-policy'
import { decidedPolicy, decidePolicy } from './decide-policy.ts'
import { uploadLimits } from './limit-choices.ts'
import { PolicyPage } from './policy-page.tsx'

export const handle = { hydrate: true, label: 'Tamaño de los documentos' }

export const meta: Route.MetaFunction = () => [{ title: 'Tamaño de los documentos · Rúbrica' }]

export const loader = async (args: Route.LoaderArgs) => ({
  policy: await decidedPolicy(args, 'uploadLimit', uploadLimits),
  choices: uploadLimits.words,
})

export const action = (args: Route.ActionArgs) =>
  decidePolicy(
    args,
    'uploadLimit',
    { missing: 'Elija el tamaño máximo de un documento.', done: 'policy-changed' },
    uploadLimits.sent,
  )

export default function UploadLimitPolicyPage({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <PolicyPage
      title="Tamaño de los documentos"
      lead="Un archivo mayor no se acepta, y quien lo sube lee por qué. Los documentos que ya están no cambian."
      name="uploadLimit"
      label="Tamaño máximo"
      choices={loaderData.choices}
      policy={loaderData.policy}
      refused={actionData}
    />
  )
}
