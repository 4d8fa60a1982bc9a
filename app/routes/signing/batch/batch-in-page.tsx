import '@mantine/core/styles/UnstyledButton.css'
import '@mantine/core/styles/Button.css'
import { Button } from '@mantine/core'
import { useRouteLoaderData } from 'react-router'
import islandUrl from '#app/islands/sign-batch.ts?worker&url'
import { EfirmaFields } from '#app/routes/signing/one/efirma-fields.tsx'
import sign from '#app/routes/signing/one/sign.module.css'
import { useNonce } from '#app/ui/frame/nonce.ts'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { Icon } from '#app/ui/text/icon.tsx'
import css from './batch.module.css'
import type { BatchPageView } from './batch-view.ts'

/**
 * Like the page of one document: a form in a template, whose fields have no names and which has no action.
 */
export function BatchInPage({ view }: { view: BatchPageView }) {
  const nonce = useNonce()
  const root = useRouteLoaderData('root') as { csrf?: string } | undefined
  return (
    <Sheet title="Firmar con e.firma">
      <div
        data-island="sign-batch"
        data-csrf={root?.csrf}
        data-entrance={view.entrance}
        data-rfc={view.rfc}
        data-zone={view.zone}
        data-now={view.now}
      >
        <p data-part="waiting" className={css.quiet}>
          La firma en su equipo estará lista cuando termine de cargar esta página.
        </p>
        <template data-part="form">
          <BatchForm />
        </template>
      </div>
      <script type="module" src={islandUrl} nonce={nonce} />
    </Sheet>
  )
}

function BatchForm() {
  return (
    <form method="dialog" className={sign.form} noValidate hidden autoComplete="off">
      <EfirmaFields />
      <div className={sign.foot}>
        <p data-part="problem" className={sign.problem} role="alert" hidden />
        <label className={css.all}>
          <input type="checkbox" data-part="all" defaultChecked autoComplete="off" />
          Marcar todos los documentos
        </label>
        <div className={css.buttons}>
          <Button type="submit" data-part="submit" disabled leftSection={<Icon name="sign" />}>
            Firmar los marcados
          </Button>
          <Button type="button" variant="default" data-part="stop" hidden>
            Detener
          </Button>
        </div>
        <div data-part="progress" className={css.progress} hidden>
          <progress data-part="bar" aria-label="Avance" />
          <p>
            <strong data-part="spoken" role="status" /> <span data-part="detail" />
          </p>
        </div>
      </div>
    </form>
  )
}
