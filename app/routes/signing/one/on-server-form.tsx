import type { ReactNode } from 'react'
import type { FormErrors } from '#app/http/forms.ts'
import { Notice } from '#app/ui/feedback/notice.tsx'
import { CheckboxField } from '#app/ui/forms/checkbox-field.tsx'
import { FileField } from '#app/ui/forms/file-field.tsx'
import { FormRefusal } from '#app/ui/forms/form-refusal.tsx'
import { PasswordField } from '#app/ui/forms/password-field.tsx'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { Icon } from '#app/ui/text/icon.tsx'
import css from './sign.module.css'

type Props = {
  serverSigning: 'allowed' | 'disabled'
  action: string
  /** Id for checkboxes outside the form. */
  id?: string
  /** What the server does, beside not storing the key. */
  note?: string | false
  /** The consent to use the key. */
  consent: string
  button: string
  /** Whether the button ends something. */
  isEnding?: boolean
  errors?: FormErrors | undefined
  /** A link below the refusal. */
  wayOn?: ReactNode
  /** Hidden fields. */
  children?: ReactNode
}

/** The form without scripts: the server uses the key once, in memory. */
export function OnServerForm({
  serverSigning,
  note,
  consent,
  button,
  isEnding = false,
  errors,
  wayOn,
  ...form
}: Props) {
  if (serverSigning === 'disabled')
    return (
      <Notice tone="note" title="Firmar en el servidor no está disponible" isLive={false}>
        Su navegador está configurado de modo que esta página no puede abrir la clave privada en su
        equipo, y esta notaría no permite enviarla al servidor. Abra la página en otro navegador, o
        consulte al administrador.
      </Notice>
    )
  const { children, ...target } = form
  return (
    <Sheet title="Firmar en el servidor">
      <PostForm encType="multipart/form-data" className={css.form} noValidate {...target}>
        {children}
        <p className={css.quiet}>
          El servidor no escribe ni guarda su clave privada.{note && ` ${note}`}
        </p>
        <FormRefusal errors={errors?.form} wayOn={wayOn} />
        <FormRefusal errors={errors?.document} />
        <KeyFields errors={errors} />
        <div className={css.foot}>
          <CheckboxField
            name="consent"
            value="yes"
            label={`Autorizo que el servidor use mi clave privada en memoria, solo para ${consent}`}
            required
            errors={errors?.consent}
          />
          <SubmitButton
            leftSection={<Icon name="sign" />}
            {...(isEnding && { color: 'bad', variant: 'light' })}
          >
            {button}
          </SubmitButton>
        </div>
      </PostForm>
    </Sheet>
  )
}

function KeyFields({ errors }: { errors: FormErrors | undefined }) {
  return (
    <>
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
      <details className={css.instead} open={errors?.pkcs12 !== undefined}>
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
    </>
  )
}
