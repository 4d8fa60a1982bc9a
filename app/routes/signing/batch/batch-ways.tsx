import sign from '#app/routes/signing/one/sign.module.css'
import { useNonce } from '#app/ui/frame/nonce.ts'
import { BatchFrame } from './batch-frame.tsx'
import { BatchInPage } from './batch-in-page.tsx'
import { BatchOnServerForm } from './batch-on-server-form.tsx'
import type { BatchPageView } from './batch-view.ts'

type Props = { view: BatchPageView; most: number }

/** Where scripts run, the key stays in the page; where none do, only the other form is there. */
export function BatchWays({ view, most }: Props) {
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
