import { noStore } from '#app/http/page-headers.ts'
import { BatchOptions } from '#app/routes/signing/batch/batch-options.tsx'
import { loadGuestBatch } from '#app/routes/signing/batch/batch-view.ts'
import { MOST_AT_ONCE } from '#server/features/signatures/sign-many-on-server.ts'
import type { Route } from './+types/guest-batch'

export const meta: Route.MetaFunction = () => [{ title: 'Firmar varios documentos · Rúbrica' }]

export const headers = noStore

export const loader = async ({ request, url, context }: Route.LoaderArgs) => ({
  view: await loadGuestBatch(request, url, context),
  most: MOST_AT_ONCE,
})

/** Like the office's batch page: the key is opened once. */
export default function GuestBatch({ loaderData }: Route.ComponentProps) {
  return <BatchOptions {...loaderData} />
}
