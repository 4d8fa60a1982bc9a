import { unkept } from '#app/http/page-headers.ts'
import type { Route } from './+types/guest-without-scripts'
import { guestPlace } from './guest-place.ts'
import { SignFrame } from './sign-frame.tsx'
import { SignOnServerForm } from './sign-on-server-form.tsx'
import { loadSigning } from './sign-view.ts'
import { signWithForm } from './sign-with-form.ts'

export const meta: Route.MetaFunction = () => [{ title: 'Firmar sin scripts · Rúbrica' }]

export const headers = unkept

export const loader = ({ params, context }: Route.LoaderArgs) =>
  loadSigning(params, context, guestPlace(params.id))

export const action = ({ request, params, context }: Route.ActionArgs) =>
  signWithForm({ request, context, id: params.id }, `/sign/documents/${params.id}`)

export default function GuestWithoutScripts({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <SignFrame view={loaderData}>
      <SignOnServerForm view={loaderData} errors={actionData?.errors} />
    </SignFrame>
  )
}
