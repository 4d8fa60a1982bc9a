import '@mantine/core/styles/Input.css'
import { TextInput } from '@mantine/core'
import { FileField } from '#app/ui/forms/file-field.tsx'
import { Icon } from '#app/ui/text/icon.tsx'
import css from './sign.module.css'

/**
 * The key pair and its password, for the signing islands: fields without names, so that no form submits
 * them.
 */
export function EfirmaFields() {
  return (
    <>
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
      <details className={css.instead}>
        <summary>Usar un archivo PKCS#12 en su lugar</summary>
        <FileField
          id="sign-pkcs12"
          data-part="pkcs12"
          label="Archivo PKCS#12 (.p12 o .pfx)"
          accept=".p12,.pfx"
        />
        <Note part="pkcs12-note" />
      </details>
    </>
  )
}

/** The note below a field; the island shows one of the two icons. */
function Note({ part }: { part: string }) {
  return (
    <p data-part={part} className={css.note} role="status" hidden>
      <Icon name="check" size={16} />
      <Icon name="cross" size={16} />
      <span data-part="sentence" />
    </p>
  )
}
