import { unkept } from '#app/http/page-headers.ts'
import { MOST_AT_ONCE } from '#server/features/signing/sign-many-on-server.ts'
import type { Route } from './+types/guest-batch'
import { loadGuestBatch } from './batch-view.ts'
import { BatchWays } from './batch-ways.tsx'

export const meta: Route.MetaFunction = () => [{ title: 'Firmar varios documentos · Rúbrica' }]

export const headers = unkept

export const loader = async ({ request, url, context }: Route.LoaderArgs) => ({
  view: await loadGuestBatch(request, url, context),
  most: MOST_AT_ONCE,
})

/** As somebody of the office signs many documents: the key is opened once. */
export default function GuestBatch({ loaderData }: Route.ComponentProps) {
  return <BatchWays {...loaderData} />
}
