import { MOST_AT_ONCE } from '#server/features/signatures/sign-many-on-server.ts'
import type { Route } from './+types/batch'
import { BatchOptions } from './batch-options.tsx'
import { loadBatch } from './batch-view.ts'

export const handle = { label: 'Firmar varios documentos' }

export const meta: Route.MetaFunction = () => [{ title: 'Firmar varios documentos · Rúbrica' }]

export const loader = async ({ request, url, context }: Route.LoaderArgs) => ({
  view: await loadBatch(request, url, context),
  most: MOST_AT_ONCE,
})

export default function Batch({ loaderData }: Route.ComponentProps) {
  return <BatchOptions {...loaderData} />
}
