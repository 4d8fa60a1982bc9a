import type { FormErrors } from '#app/http/forms.ts'
import { CheckboxField } from '#app/ui/forms/checkbox-field.tsx'
import { FormRefusal } from '#app/ui/forms/form-refusal.tsx'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { STATEMENTS } from '#server/words/judgements.ts'
import css from './sign.module.css'
import type { SignView } from './sign-view.ts'

type Props = { view: SignView; errors?: FormErrors | undefined }

/** Stands in the place of the signing form until the signer stated that they saw what was found in the file. */
export function AcknowledgementForm({ view, errors }: Props) {
  const { address, digest, statements, returnUrl } = view
  return (
    <Sheet title="Antes de firmar">
      <PostForm action={`${address}/acknowledge`} className={css.form} noValidate>
        <input type="hidden" name="judgement" value={digest} />
        <input type="hidden" name="returnUrl" value={returnUrl} />
        <FormRefusal errors={errors?.form} />
        {statements.map((statement) => (
          <CheckboxField
            key={statement}
            name={statement}
            value="yes"
            label={STATEMENTS[statement]}
            required
            errors={errors?.[statement]}
          />
        ))}
        <p className={css.quiet}>Queda en la bitácora con lo que se encontró en el archivo.</p>
        <SubmitButton size="md">Continuar a la firma</SubmitButton>
      </PostForm>
    </Sheet>
  )
}
