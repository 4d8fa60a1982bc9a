import '@mantine/core/styles/Input.css'
import '@mantine/core/styles/UnstyledButton.css'
import '@mantine/core/styles/Button.css'
import { Button, TextInput } from '@mantine/core'
import { useRouteLoaderData } from 'react-router'
import islandUrl from '#app/islands/sign-with-efirma.ts?worker&url'
import { FileField } from '#app/ui/file-field.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { useNonce } from '#app/ui/nonce.ts'
import { Sheet } from '#app/ui/sheet.tsx'
import css from './sign.module.css'
import type { SignView } from './sign-view.ts'

/**
 * The form that signs in the page. It stands in a template, so that no browser has a form before the
 * script does; its fields have no names and it has no address, so that it can send nothing by itself.
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
      <p className={css.quiet}>
        Su clave privada se abre y se usa en este equipo. No se envía ni se guarda.
      </p>
      <div>
        <FileField
          id="sign-certificate"
          data-part="certificate"
          label="Certificado (.cer)"
          accept=".cer"
        />
        <Note part="certificate-note" />
      </div>
      <div>
        <FileField id="sign-key" data-part="key" label="Clave privada (.key)" accept=".key" />
        <Note part="key-note" />
      </div>
      <div>
        <TextInput
          id="sign-password"
          data-part="password"
          type="password"
          label="Contraseña de la clave privada"
          autoComplete="off"
          spellCheck={false}
        />
        <Note part="password-note" />
      </div>
      <div className={css.foot}>
        <p data-part="problem" className={css.problem} role="alert" hidden />
        <p data-part="current-version" hidden>
          <a href={current}>Ver la versión actual</a>
        </p>
        <Button type="submit" data-part="submit" disabled leftSection={<Icon name="sign" />}>
          Firmar documento
        </Button>
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

/** What is said about a field as soon as it is filled; the island shows one of the two pictures. */
function Note({ part }: { part: string }) {
  return (
    <p data-part={part} className={css.note} role="status" hidden>
      <Icon name="check" size={16} />
      <Icon name="cross" size={16} />
      <span data-part="sentence" />
    </p>
  )
}
