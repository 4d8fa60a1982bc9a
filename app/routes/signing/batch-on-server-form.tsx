import type { FormErrors } from '#app/http/forms.ts'
import { CheckboxField } from '#app/ui/checkbox-field.tsx'
import { CsrfField } from '#app/ui/csrf-field.tsx'
import { FileField } from '#app/ui/file-field.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { PasswordField } from '#app/ui/password-field.tsx'
import { Sheet } from '#app/ui/sheet.tsx'
import { SubmitButton } from '#app/ui/submit-button.tsx'
import css from './batch.module.css'
import { FORM_WITHOUT_SCRIPTS } from './batch-list.tsx'
import type { BatchPageView } from './batch-view.ts'
import sign from './sign.module.css'

type Props = { view: BatchPageView; most: number; errors?: FormErrors | undefined }

/** The form for browsers without scripts; the documents are marked in the list beside it. */
export function BatchOnServerForm({ view, most, errors }: Props) {
  if (view.serverSigning === 'disabled')
    return (
      <Notice tone="note" title="Firmar sin scripts no está disponible" isNews={false}>
        Esta notaría no permite usar la clave privada en el servidor. Active los scripts de su
        navegador para firmar en su equipo, o consulte al administrador.
      </Notice>
    )
  return (
    <Sheet title="Firmar sin scripts">
      <form
        id={FORM_WITHOUT_SCRIPTS}
        method="post"
        action={view.withoutScripts}
        encType="multipart/form-data"
        className={sign.form}
        noValidate
      >
        <CsrfField />
        <p className={css.quiet}>
          El servidor no escribe ni guarda su clave privada.
          {view.documents.length > most &&
            ` Se firman hasta ${most} documentos a la vez, los primeros de la lista; los demás quedan en ella.`}
        </p>
        {errors?.form?.[0] && <Notice tone="bad">{errors.form[0]}</Notice>}
        {errors?.document?.[0] && <Notice tone="bad">{errors.document[0]}</Notice>}
        <FileField
          name="certificate"
          label="Certificado (.cer)"
          accept=".cer"
          errors={errors?.certificate}
        />
        <FileField
          name="privateKey"
          label="Clave privada (.key)"
          accept=".key"
          errors={errors?.privateKey}
        />
        <PasswordField
          name="password"
          label="Contraseña de la clave privada"
          autoComplete="current-password"
          required
          errors={errors?.password}
        />
        <details className={sign.instead} open={errors?.pkcs12 !== undefined}>
          <summary>Usar un archivo PKCS#12 en su lugar</summary>
          <FileField
            name="pkcs12"
            label="Archivo PKCS#12 (.p12 o .pfx)"
            accept=".p12,.pfx"
            errors={errors?.pkcs12}
          />
        </details>
        {errors && (
          <p className={css.quiet}>
            Por seguridad su navegador no conserva los archivos: elíjalos de nuevo.
          </p>
        )}
        <div className={sign.foot}>
          <CheckboxField
            name="consent"
            value="yes"
            label="Autorizo que el servidor use mi clave privada en memoria, solo para firmar los documentos marcados"
            required
            errors={errors?.consent}
          />
          <SubmitButton leftSection={<Icon name="sign" />}>Firmar los marcados</SubmitButton>
        </div>
      </form>
    </Sheet>
  )
}
