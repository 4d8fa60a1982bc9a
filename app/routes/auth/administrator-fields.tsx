import type { FormErrors } from '#app/http/forms.ts'
import { TextField } from '#app/ui/forms/text-field.tsx'
import css from './login.module.css'

type Props = { values: Record<string, string>; errors: FormErrors | undefined }

/** The first user of the office, who invites the others. */
export function AdministratorFields({ values, errors }: Props) {
  const field = (name: string) => ({
    name,
    size: 'md' as const,
    required: true,
    defaultValue: values[name] ?? '',
    errors: errors?.[name],
  })
  return (
    <fieldset className={css.group}>
      <legend>Usted, quien administra</legend>
      <TextField {...field('firstName')} label="Nombres" autoComplete="given-name" />
      <TextField {...field('lastName')} label="Apellidos" autoComplete="family-name" />
      <TextField
        {...field('email')}
        type="email"
        label="Correo electrónico"
        autoComplete="username"
        spellCheck={false}
      />
      <TextField
        {...field('rfc')}
        label="RFC"
        help="De 13 caracteres, como en su constancia de situación fiscal."
        autoComplete="off"
        spellCheck={false}
      />
    </fieldset>
  )
}
