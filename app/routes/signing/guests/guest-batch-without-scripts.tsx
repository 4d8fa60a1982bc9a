import { noStore } from '#app/http/page-headers.ts'
import { GUEST_BATCH } from '#app/routes/signing/batch/batch-addresses.ts'
import { BatchFrame } from '#app/routes/signing/batch/batch-frame.tsx'
import { BatchOnServerForm } from '#app/routes/signing/batch/batch-on-server-form.tsx'
import { loadGuestBatch } from '#app/routes/signing/batch/batch-view.ts'
import { signManyWithForm } from '#app/routes/signing/batch/sign-many-with-form.ts'
import { MOST_AT_ONCE } from '#server/features/signatures/sign-many-on-server.ts'
import type { Route } from './+types/guest-batch-without-scripts'

export const meta: Route.MetaFunction = () => [{ title: 'Firmar en el servidor · Rúbrica' }]

export const headers = noStore

export const loader = async ({ request, url, context }: Route.LoaderArgs) => ({
  view: await loadGuestBatch(request, url, context),
  most: MOST_AT_ONCE,
})

export const action = ({ request, context }: Route.ActionArgs) =>
  signManyWithForm({ request, context, done: GUEST_BATCH.address })

export default function GuestBatchWithoutScripts({ loaderData, actionData }: Route.ComponentProps) {
  const { view, most } = loaderData
  return (
    <BatchFrame view={view} most={most}>
      <BatchOnServerForm view={view} most={most} errors={actionData?.errors} />
    </BatchFrame>
  )
}
