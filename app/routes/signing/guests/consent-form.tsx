import type { FormErrors } from '#app/http/forms.ts'
import { CheckboxField } from '#app/ui/forms/checkbox-field.tsx'
import { FormRefusal } from '#app/ui/forms/form-refusal.tsx'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import folds from '#app/ui/lists/folds.module.css'
import { PageLink } from '#app/ui/text/page-link.tsx'
import css from './guest.module.css'
import type { GuestView } from './guest-view.ts'

type ShownNotice = GuestView['notice']

/** The aviso simplificado, before the documents. */
export function ShortNotice({ notice }: { notice: ShownNotice }) {
  return (
    <Sheet title="Aviso de privacidad">
      <div className={css.notice}>
        <NoticeText notice={notice} />
      </div>
    </Sheet>
  )
}

function NoticeText({ notice }: { notice: ShownNotice }) {
  return (
    <>
      {notice.short.map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
      ))}
      <p>
        <PageLink to="/sign/privacy">Leer el aviso de privacidad completo</PageLink>
      </p>
    </>
  )
}

type Props = {
  notice: ShownNotice
  /** On a page that does not show the aviso elsewhere. */
  hasNotice?: boolean
  errors?: FormErrors | undefined
}

/** The acceptance of the aviso de privacidad, before signing and rejecting. The form goes to the page that shows it. */
export function ConsentForm({ notice, hasNotice = false, errors }: Props) {
  return (
    <Sheet title="Antes de firmar">
      <div className={css.notice}>
        <FormRefusal errors={errors?.form} />
        <p>
          Lea con calma: leer no le compromete. Para firmar, o para rechazar la firma, acepte el
          aviso de privacidad.
        </p>
        {hasNotice && (
          <details className={folds.fold}>
            <summary>Aviso de privacidad</summary>
            <div className={css.notice}>
              <NoticeText notice={notice} />
            </div>
          </details>
        )}
        <PostForm className={css.consent} noValidate>
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
