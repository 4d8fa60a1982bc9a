import '@mantine/core/styles/UnstyledButton.css'
import '@mantine/core/styles/Button.css'
import { Button } from '@mantine/core'
import { useRouteLoaderData } from 'react-router'
import type { FormErrors } from '#app/http/forms.ts'
import islandUrl from '#app/islands/reject-with-efirma.ts?worker&url'
import { EfirmaFields } from '#app/routes/signing/one/efirma-fields.tsx'
import { OnServerForm } from '#app/routes/signing/one/on-server-form.tsx'
import sign from '#app/routes/signing/one/sign.module.css'
import { Island } from '#app/ui/frame/island.tsx'
import { useNonce } from '#app/ui/frame/nonce.ts'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import css from './guest.module.css'
import type { RejectView } from './reject-view.ts'

type Props = {
  view: RejectView
  reason: string
  errors?: FormErrors | undefined
  /** The form without scripts was sent, and is shown again. */
  isOnServer: boolean
}

/** The e.firma signs the statement of rejection: in the page, or without scripts on the server. */
export function RejectWithEfirma({ isOnServer, ...rest }: Props) {
  return (
    <>
      <Sheet title="Su motivo">
        <div className={css.notice}>
          <p className={css.reason}>{rest.reason}</p>
          <p>
            <PageLink to="/sign/reject">Cambiar el motivo o la forma de comprobarlo</PageLink>
          </p>
        </div>
      </Sheet>
      {isOnServer ? <OnServer {...rest} /> : <WithOrWithoutScripts {...rest} />}
    </>
  )
}

type FormProps = Omit<Props, 'isOnServer'>

function WithOrWithoutScripts(props: FormProps) {
  const nonce = useNonce()
  return (
    <>
      <div data-needs-scripts>
        <InPage {...props} />
      </div>
      <noscript>
        {/* Only one of the two is visible; browsers of 2023 lack the media feature "scripting". */}
        <style nonce={nonce}>{'[data-needs-scripts]{display:none}'}</style>
        <OnServer {...props} />
      </noscript>
    </>
  )
}

function OnServer({ view, reason, errors }: FormProps) {
  return (
    <OnServerForm
      serverSigning={view.serverSigning}
      action="/sign/reject"
      consent="esta declaración de rechazo"
      button="Rechazar la firma"
      isEnding
      errors={errors}
    >
      <input type="hidden" name="proof" value="server" />
      <input type="hidden" name="reason" value={reason} />
    </OnServerForm>
  )
}

/** In a template until the script runs; its fields have no names and it has no action. */
function InPage({ view, reason }: FormProps) {
  const root = useRouteLoaderData('root') as { csrf?: string } | undefined
  return (
    <Sheet title="Compruebe que es usted">
      <div
        data-island="reject-with-efirma"
        data-csrf={root?.csrf}
        data-reason={reason}
        data-rejection={JSON.stringify(view.facts)}
        data-rfc={view.rfc}
        data-zone={view.zone}
        data-now={view.now}
      >
        <p data-part="waiting" className={css.quiet}>
          El formulario estará listo cuando termine de cargar esta página.
        </p>
        <template data-part="form">
          <form method="dialog" className={sign.form} noValidate hidden autoComplete="off">
            <p className={css.quiet}>
              Su e.firma firma una declaración: que usted rechaza firmar, qué documentos, por qué
              motivo y cuándo. No firma ningún documento.
            </p>
            <EfirmaFields />
            <p data-part="problem" className={sign.problem} role="alert" hidden />
            <div>
              <Button type="submit" data-part="submit" color="bad" variant="light" disabled>
                Rechazar la firma
              </Button>
            </div>
          </form>
        </template>
      </div>
      <Island src={islandUrl} />
    </Sheet>
  )
}
