import '@mantine/core/styles/UnstyledButton.css'
import '@mantine/core/styles/Button.css'
import { Button } from '@mantine/core'
import { useRouteLoaderData } from 'react-router'
import islandUrl from '#app/islands/sign-with-efirma.ts?worker&url'
import { useNonce } from '#app/ui/frame/nonce.ts'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { Icon } from '#app/ui/text/icon.tsx'
import { EfirmaFields } from './efirma-fields.tsx'
import css from './sign.module.css'
import type { SignView } from './sign-view.ts'

/**
 * The form that signs in the page. It is in a template until the script runs; its fields have no names and
 * it has no action, so it cannot submit anything by itself.
 */
export function SignInPage({ view }: { view: SignView }) {
  const nonce = useNonce()
  const root = useRouteLoaderData('root') as { csrf?: string } | undefined
  return (
    <Sheet title="Firmar con e.firma">
      <div
        data-island="sign-with-efirma"
        data-csrf={root?.csrf}
        data-address={view.address}
        data-done={view.document}
        data-entrance={view.entrance}
        data-version={view.version}
        data-sha256={view.sha256}
        data-rfc={view.rfc}
        data-zone={view.zone}
        data-now={view.now}
      >
        <p data-part="waiting" className={css.quiet}>
          La firma en su equipo estará lista cuando termine de cargar esta página.
        </p>
        <template data-part="form">
          <SigningForm current={view.document} />
        </template>
      </div>
      <script type="module" src={islandUrl} nonce={nonce} />
    </Sheet>
  )
}

function SigningForm({ current }: { current: string }) {
  return (
    <form method="dialog" className={css.form} noValidate hidden autoComplete="off">
      <EfirmaFields />
      <div className={css.foot}>
        <p data-part="problem" className={css.problem} role="alert" hidden />
        <p data-part="unread" hidden>
          <a href="#lector" data-turns>
            Seguir leyendo en la página <span data-part="page" />
          </a>
        </p>
        <p data-part="current-version" hidden>
          <a href={current}>Ver la versión actual</a>
        </p>
        <Button type="submit" data-part="submit" disabled leftSection={<Icon name="sign" />}>
          Firmar documento
        </Button>
        <div data-part="turn" className={css.turn} role="status" hidden>
          <p>Otra persona está firmando este documento; se espera su turno.</p>
          <Button type="button" variant="default" data-part="stop">
            Dejar de esperar
          </Button>
        </div>
        <ol data-part="steps" className={css.steps} aria-live="polite" hidden>
          <li data-part="opening">Abriendo la clave en su equipo</li>
          <li data-part="preparing">Preparando el documento</li>
          <li data-part="signing">Firmando en su equipo</li>
          <li data-part="storing">Verificando y guardando</li>
          <li data-part="signed">Firmado</li>
        </ol>
      </div>
    </form>
  )
}
