import type { Route } from './+types/sign-without-scripts'
import { SignFrame } from './sign-frame.tsx'
import { SignOnServerForm } from './sign-on-server-form.tsx'
import { loadSigning } from './sign-view.ts'
import { signWithForm } from './sign-with-form.ts'

export const handle = { label: 'Firmar en el servidor' }

export const meta: Route.MetaFunction = () => [{ title: 'Firmar en el servidor · Rúbrica' }]

export const loader = ({ params, url, context }: Route.LoaderArgs) =>
  loadSigning(params, url, context)

export const action = ({ request, params, context }: Route.ActionArgs) =>
  signWithForm({ request, context, id: params.id }, `/dashboard/documents/${params.id}`)

export default function SignWithoutScripts({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <SignFrame view={loaderData}>
      <SignOnServerForm view={loaderData} errors={actionData?.errors} />
    </SignFrame>
  )
}
