import type { FormErrors } from '#app/http/forms.ts'
import form from '#app/ui/forms/form.module.css'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SelectField } from '#app/ui/forms/select-field.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { TextField } from '#app/ui/forms/text-field.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import css from './office.module.css'

type Props = {
  errors: FormErrors | undefined
  values: Record<string, string> | undefined
}

export function AcceptForm({ errors, values }: Props) {
  return (
    <Sheet title="Confiar en esta autoridad">
      <p className={css.lead}>
        Compare la huella con la que la autoridad publica. Todo lo que ella emita contará en las
        verificaciones; su decisión y el motivo quedan en la bitácora.
      </p>
      <PostForm className={form.form}>
        <input type="hidden" name="kind" value="accept" />
        <Reason errors={errors} values={values} />
        <SelectField
          name="revocation"
          label="Si nadie responde sobre la revocación"
          data={[
            { value: 'required', label: 'La verificación queda sin resultado definitivo' },
            { value: 'when-available', label: 'La verificación advierte' },
          ]}
          defaultValue={values?.revocation ?? 'required'}
          errors={errors?.revocation}
        />
        <TextField
          name="ocsp"
          label="Dirección donde responde (OCSP)"
          help="La que publica la autoridad, o la de su lista de revocación (.crl). Vacía: no se le pregunta."
          maxLength={300}
          spellCheck={false}
          defaultValue={values?.ocsp ?? ''}
          errors={errors?.ocsp}
        />
        <SubmitButton>Confiar en ella</SubmitButton>
      </PostForm>
    </Sheet>
  )
}

export function RemoveForm({ errors, values }: Props) {
  return (
    <Sheet title="Dejar de confiar en esta autoridad">
      <p className={css.lead}>
        Desde ese momento ninguna verificación contará con ella, tampoco sobre documentos ya
        firmados.
      </p>
      <PostForm className={form.form}>
        <input type="hidden" name="kind" value="remove" />
        <Reason errors={errors} values={values} />
        <SubmitButton color="bad" variant="light">
          Dejar de confiar
        </SubmitButton>
      </PostForm>
    </Sheet>
  )
}

const Reason = ({ errors, values }: Props) => (
  <TextField
    name="reason"
    label="Motivo"
    help="Quién lo decidió y con qué se comprobó. Queda en la bitácora."
    required
    minLength={10}
    maxLength={500}
    defaultValue={values?.reason ?? ''}
    errors={errors?.reason}
  />
)
