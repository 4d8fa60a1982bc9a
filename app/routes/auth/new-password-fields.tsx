import type { FormErrors } from '#app/http/forms.ts'
import { PasswordField } from '#app/ui/forms/password-field.tsx'
import { PasswordStrength, type Strength } from '#app/ui/forms/password-strength.tsx'

type Props = { errors: FormErrors | undefined; strength: Strength | undefined }

/** A new password, its strength, and its confirmation. */
export function NewPasswordFields({ errors, strength }: Props) {
  return (
    <>
      <PasswordField
        name="newPassword"
        label="Contraseña nueva"
        help="Al menos 15 caracteres. Sirven cuatro palabras sin relación, con espacios."
        autoComplete="new-password"
        size="md"
        required
        errors={errors?.newPassword}
      />
      <PasswordStrength field="newPassword" strength={strength} />
      <PasswordField
        name="confirmPassword"
        label="Confirmar contraseña nueva"
        autoComplete="new-password"
        size="md"
        required
        errors={errors?.confirmPassword}
      />
    </>
  )
}
