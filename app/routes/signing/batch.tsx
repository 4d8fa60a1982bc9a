import { useNonce } from '#app/ui/nonce.ts'
import { MOST_AT_ONCE } from '#server/features/signing/sign-many-on-server.ts'
import type { Route } from './+types/batch'
import { BatchFrame } from './batch-frame.tsx'
import { BatchInPage } from './batch-in-page.tsx'
import { BatchOnServerForm } from './batch-on-server-form.tsx'
import { loadBatch } from './batch-view.ts'
import sign from './sign.module.css'

export const handle = { label: 'Firmar varios documentos' }

export const meta: Route.MetaFunction = () => [{ title: 'Firmar varios documentos · Rúbrica' }]

export const loader = async ({ request, url, context }: Route.LoaderArgs) => ({
  view: await loadBatch(request, url, context),
  most: MOST_AT_ONCE,
})

/** Where scripts run, the key stays in the page; where none do, only the other form is there. */
export default function Batch({ loaderData: { view, most } }: Route.ComponentProps) {
  const nonce = useNonce()
  return (
    <BatchFrame view={view} most={most}>
      <div data-needs-scripts className={sign.ways}>
        <BatchInPage view={view} />
        <p className={sign.quiet}>
          ¿Su navegador no muestra el formulario?{' '}
          <a href={view.withoutScripts}>Firmar sin scripts</a>
        </p>
      </div>
      <noscript>
        {/* Of the two ways one is ever visible; browsers of 2023 do not know the media feature "scripting". */}
        <style nonce={nonce}>{'[data-needs-scripts]{display:none}'}</style>
        <BatchOnServerForm view={view} most={most} />
      </noscript>
    </BatchFrame>
  )
}
