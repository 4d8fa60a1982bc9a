import type { FormErrors } from '#app/http/forms.ts'
import { Notice } from '#app/ui/feedback/notice.tsx'
import { CheckboxField } from '#app/ui/forms/checkbox-field.tsx'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import css from './guest.module.css'
import type { GuestView } from './guest-view.ts'

type Props = { notice: GuestView['notice']; errors?: FormErrors | undefined }

/** The aviso de privacidad and its acceptance; no document is shown before. */
export function ConsentForm({ notice, errors }: Props) {
  return (
    <Sheet title="Aviso de privacidad">
      <div className={css.notice}>
        {errors?.form?.[0] && <Notice tone="bad">{errors.form[0]}</Notice>}
        {notice.short.map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
        <p>
          <PageLink to="/sign/privacy">Leer el aviso de privacidad completo</PageLink>
        </p>
        <PostForm action="/sign/documents" className={css.consent} noValidate>
          <input type="hidden" name="notice" value={notice.sha256} />
          <CheckboxField
            name="consent"
            value="yes"
            label="Leí el aviso de privacidad y estoy de acuerdo"
            required
            errors={errors?.consent}
          />
          <SubmitButton size="md">Acepto y continúo</SubmitButton>
        </PostForm>
      </div>
    </Sheet>
  )
}
