import type { FormErrors } from '#app/http/forms.ts'
import form from '#app/ui/forms/form.module.css'
import { OnceField } from '#app/ui/forms/once-field.tsx'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { TextField } from '#app/ui/forms/text-field.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import css from './list.module.css'

type Props = {
  series: { id: string; name: string }
  once: string
  values: Record<string, string> | undefined
  errors: FormErrors | undefined
}

/** Sets the next number apart for a document that does not exist yet. */
export function ReserveSheet({ series, once, values, errors }: Props) {
  return (
    <div id="apartar" className={css.reserve}>
      <Sheet title="Apartar un número">
        <p className={css.lead}>
          Toma el siguiente número de {series.name} para un instrumento que todavía no está en el
          sistema. Después se pone en su documento.
        </p>
        <PostForm className={form.form} noValidate>
          <OnceField once={values?.once ?? once} />
          <input type="hidden" name="series" value={series.id} />
          <TextField
            name="note"
            label="Para qué se aparta"
            help="Por ejemplo: compraventa de la familia Núñez, firma el viernes."
            required
            maxLength={300}
            autoComplete="off"
            defaultValue={values?.note ?? ''}
            errors={errors?.note}
          />
          <SubmitButton>Apartar el siguiente número</SubmitButton>
        </PostForm>
      </Sheet>
    </div>
  )
}
