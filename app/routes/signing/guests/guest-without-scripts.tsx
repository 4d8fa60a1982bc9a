import { redirectDocument } from 'react-router'
import { noStore } from '#app/http/page-headers.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { SignFrame } from '#app/routes/signing/one/sign-frame.tsx'
import { SignOnServerForm } from '#app/routes/signing/one/sign-on-server-form.tsx'
import { loadSigning } from '#app/routes/signing/one/sign-view.ts'
import { signWithForm } from '#app/routes/signing/one/sign-with-form.ts'
import type { Route } from './+types/guest-without-scripts'
import { guestAddresses } from './guest-addresses.ts'
import { loadGuestDocument } from './load-guest-document.ts'

export const meta: Route.MetaFunction = () => [{ title: 'Firmar en el servidor · Rúbrica' }]

export const headers = noStore

export async function loader({ params, url, context }: Route.LoaderArgs) {
  const { held } = await orErrorPage(loadGuestDocument(params.id, context))
  // Already signed in another window: show the copy.
  if (held === 'signed') throw redirectDocument(`/sign/documents/${params.id}`, 303)
  return await loadSigning(params, url, context, guestAddresses(params.id))
}

export const action = ({ request, params, context }: Route.ActionArgs) =>
  signWithForm({ request, context, id: params.id }, `/sign/documents/${params.id}`)

export default function GuestWithoutScripts({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <SignFrame view={loaderData}>
      <SignOnServerForm view={loaderData} errors={actionData?.errors} />
    </SignFrame>
  )
}
