import { redirectDocument } from 'react-router'
import type { Route } from './+types/acknowledge'
import { acknowledgeWithForm } from './acknowledge-with-form.ts'
import { SignFrame } from './sign-frame.tsx'
import { loadAcknowledging } from './sign-view.ts'

export const handle = { label: 'Antes de firmar' }

export const meta: Route.MetaFunction = () => [{ title: 'Antes de firmar · Rúbrica' }]

/** What was found in the file of one document; `returnUrl` is the page of the signing form. */
export async function loader({ params, url, context }: Route.LoaderArgs) {
  const view = await loadAcknowledging(params, url, context)
  if (view.statements.length === 0) throw redirectDocument(view.returnUrl, 303)
  return view
}

export const action = ({ request, params, context }: Route.ActionArgs) =>
  acknowledgeWithForm({ request, context, id: params.id }, `/dashboard/documents/${params.id}/sign`)

export default function Acknowledge({ loaderData: view, actionData }: Route.ComponentProps) {
  return <SignFrame view={view} errors={actionData?.errors} />
}
