import type { FormErrors } from '#app/http/forms.ts'
import { FileField } from '#app/ui/forms/file-field.tsx'

type Props = { errors: FormErrors | undefined; isOptional?: boolean }

const ACCEPT = '.pem,.crt,.cer,.der'

/** The two files of an attestation; one PEM file may hold both. */
export function AttestationFields({ errors, isOptional = false }: Props) {
  return (
    <>
      <FileField
        name="statement"
        label={isOptional ? 'Atestación PIV (opcional)' : 'Atestación PIV'}
        accept={ACCEPT}
        required={!isOptional}
        help="El archivo que la llave firma sobre una clave que creó. Se pide con el programa del fabricante: ykman piv keys attest 9c atestacion.pem"
        errors={errors?.statement}
      />
      <FileField
        name="intermediate"
        label="Certificado de la ranura f9 (opcional)"
        accept={ACCEPT}
        help="Con él firma la llave sus atestaciones. Se guarda con: ykman piv certificates export f9 f9.pem"
        errors={errors?.intermediate}
      />
    </>
  )
}
