import type { FormErrors } from '#app/http/forms.ts'
import css from '#app/routes/settings/office.module.css'
import form from '#app/ui/forms/form.module.css'
import { FormRefusal } from '#app/ui/forms/form-refusal.tsx'
import { PasswordField } from '#app/ui/forms/password-field.tsx'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SelectField } from '#app/ui/forms/select-field.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { TextField } from '#app/ui/forms/text-field.tsx'

type Choice = { value: string; label: string }

type Props = {
  values: Record<string, string>
  errors: FormErrors
  /** Whether a password is kept that stays if the field is empty. */
  hasPassword: boolean
  ports: readonly Choice[]
  securities: readonly Choice[]
}

/** The form that sets the mail server of the office. */
export function MailServerFields({ values, errors, hasPassword, ports, securities }: Props) {
  return (
    <>
      <p className={css.lead}>
        Con él se envían invitaciones, turnos y alertas. Vale en cuanto se guarda. La conexión va
        siempre cifrada.
      </p>
      <PostForm className={form.form} noValidate>
        <FormRefusal errors={errors.form} />
        <input type="hidden" name="intent" value="set" />
        <input type="hidden" name="seenAt" value={values.seenAt ?? ''} />
        <TextField
          name="host"
          label="Servidor"
          help="El nombre que le dio su proveedor de correo, como smtp.ejemplo.mx."
          required
          maxLength={253}
          spellCheck={false}
          autoComplete="off"
          defaultValue={values.host ?? ''}
          errors={errors.host}
        />
        <SelectField
          name="security"
          label="Cifrado"
          data={[...securities]}
          defaultValue={values.security ?? ''}
          errors={errors.security}
        />
        <SelectField
          name="port"
          label="Puerto"
          data={[...ports]}
          defaultValue={values.port ?? ''}
          errors={errors.port}
        />
        <TextField
          name="username"
          label="Usuario"
          help="Vacío si el servidor no pide usuario y contraseña."
          maxLength={200}
          spellCheck={false}
          autoComplete="off"
          defaultValue={values.username ?? ''}
          errors={errors.username}
        />
        <PasswordField
          name="password"
          label="Contraseña del servidor"
          help={
            hasPassword
              ? 'Vacía: se deja la que está. Se guarda cifrada y no se vuelve a mostrar.'
              : 'Se guarda cifrada y no se vuelve a mostrar.'
          }
          maxLength={200}
          autoComplete="new-password"
          errors={errors.password}
        />
        <TextField
          name="fromName"
          label="Nombre del remitente"
          required
          maxLength={100}
          autoComplete="off"
          defaultValue={values.fromName ?? ''}
          errors={errors.fromName}
        />
        <TextField
          name="fromAddress"
          label="Correo del remitente"
          required
          maxLength={254}
          spellCheck={false}
          autoComplete="off"
          inputMode="email"
          defaultValue={values.fromAddress ?? ''}
          errors={errors.fromAddress}
        />
        <SubmitButton>Guardar</SubmitButton>
      </PostForm>
    </>
  )
}
