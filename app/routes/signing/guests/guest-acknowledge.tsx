import { redirectDocument } from 'react-router'
import { noStore } from '#app/http/page-headers.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { acknowledgeWithForm } from '#app/routes/signing/one/acknowledge-with-form.ts'
import { SignFrame } from '#app/routes/signing/one/sign-frame.tsx'
import { loadAcknowledging } from '#app/routes/signing/one/sign-view.ts'
import type { Route } from './+types/guest-acknowledge'
import { guestAddresses } from './guest-addresses.ts'
import { loadGuestDocument } from './load-guest-document.ts'

export const meta: Route.MetaFunction = () => [{ title: 'Antes de firmar · Rúbrica' }]

export const headers = noStore

/** What was found in the file of one document, for a guest. */
export async function loader({ params, url, context }: Route.LoaderArgs) {
  const { held } = await orErrorPage(loadGuestDocument(params.id, context))
  // Already signed in another window: show the copy.
  if (held === 'signed') throw redirectDocument(`/sign/documents/${params.id}`, 303)
  const view = await loadAcknowledging(params, url, context, guestAddresses(params.id))
  if (view.statements.length === 0) throw redirectDocument(view.returnUrl, 303)
  return view
}

export const action = ({ request, params, context }: Route.ActionArgs) =>
  acknowledgeWithForm({ request, context, id: params.id }, `/sign/documents/${params.id}`)

export default function GuestAcknowledge({ loaderData: view, actionData }: Route.ComponentProps) {
  return <SignFrame view={view} errors={actionData?.errors} />
}
