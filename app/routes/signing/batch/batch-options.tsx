import sign from '#app/routes/signing/one/sign.module.css'
import { useNonce } from '#app/ui/frame/nonce.ts'
import { BatchFrame } from './batch-frame.tsx'
import { BatchInPage } from './batch-in-page.tsx'
import { BatchOnServerForm } from './batch-on-server-form.tsx'
import type { BatchPageView } from './batch-view.ts'

type Props = { view: BatchPageView; most: number }

/** With scripts the key stays in the browser; without them the other form is shown. */
export function BatchOptions({ view, most }: Props) {
  const nonce = useNonce()
  return (
    <BatchFrame view={view} most={most}>
      <div data-needs-scripts className={sign.ways}>
        <BatchInPage view={view} />
        {view.serverSigning === 'allowed' && (
          <p className={sign.quiet}>
            ¿Su navegador no muestra el formulario?{' '}
            <a href={view.withoutScripts}>Enviar la clave para firmar en el servidor</a>
          </p>
        )}
      </div>
      <noscript>
        {/* Only one of the two is visible; browsers of 2023 lack the media feature "scripting". */}
        <style nonce={nonce}>{'[data-needs-scripts]{display:none}'}</style>
        <BatchOnServerForm view={view} most={most} />
      </noscript>
    </BatchFrame>
  )
}
