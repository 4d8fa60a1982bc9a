import { MOST_AT_ONCE } from '#server/features/signatures/sign-many-on-server.ts'
import type { Route } from './+types/batch-without-scripts'
import { officeBatch } from './batch-addresses.ts'
import { BatchFrame } from './batch-frame.tsx'
import { BatchOnServerForm } from './batch-on-server-form.tsx'
import { loadBatch, wantedIn } from './batch-view.ts'
import { signManyWithForm } from './sign-many-with-form.ts'

export const handle = { label: 'Firmar en el servidor' }

export const meta: Route.MetaFunction = () => [{ title: 'Firmar en el servidor · Rúbrica' }]

export const loader = async ({ request, url, context }: Route.LoaderArgs) => ({
  view: await loadBatch(request, url, context),
  most: MOST_AT_ONCE,
})

export const action = ({ request, url, context }: Route.ActionArgs) =>
  signManyWithForm({ request, context, done: officeBatch(wantedIn(url)).address })

export default function BatchWithoutScripts({ loaderData, actionData }: Route.ComponentProps) {
  const { view, most } = loaderData
  return (
    <BatchFrame view={view} most={most}>
      <BatchOnServerForm view={view} most={most} errors={actionData?.errors} />
    </BatchFrame>
  )
}
