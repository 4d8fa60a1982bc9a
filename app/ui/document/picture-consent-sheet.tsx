import { CheckboxField } from '#app/ui/forms/checkbox-field.tsx'
import form from '#app/ui/forms/form.module.css'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'

type Props = {
  /** The address of the form, for users or for external signers. */
  action: string
  /** What this signer decided before; null shows nothing. */
  consent: 'given' | 'not-given' | null
  /** Whether it stands on the page for signing that is below the page of the document, and is to lead back there. */
  isSigning?: boolean
}

/** A signer's own decision about pictures of the pages on the public page. */
export function PictureConsentSheet({ action, consent, isSigning = false }: Props) {
  if (!consent) return null
  return (
    <Sheet title="Su consentimiento para mostrar las páginas">
      <PostForm action={action} className={form.form}>
        <p>
          La notaría puede mostrar las páginas de este documento a quien lo verifique, para
          compararlas con el papel, solo si consienten todas las personas que lo firman. Es
          voluntario: firmar no depende de ello, y puede retirarlo cuando quiera.
        </p>
        <CheckboxField
          name="consent"
          value="yes"
          label="Consiento que cualquier persona que tenga el código o la dirección vea las páginas de este documento, con los nombres y datos que se leen en ellas."
          defaultChecked={consent === 'given'}
        />
        {isSigning && <input type="hidden" name="page" value="sign" />}
        <SubmitButton variant="default">Guardar mi decisión</SubmitButton>
      </PostForm>
    </Sheet>
  )
}
