import { FileField } from '#app/ui/forms/file-field.tsx'
import form from '#app/ui/forms/form.module.css'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SelectField } from '#app/ui/forms/select-field.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import css from './signed-revision-form.module.css'

/** The position of a signature in the report, and its signer. */
export type SignedRevisionChoice = { value: string; label: string }

/** Downloads the signed revision without later changes. The file is not stored, so it is uploaded again. */
export function SignedRevisionForm({ revisions }: { revisions: readonly SignedRevisionChoice[] }) {
  const [first, ...more] = revisions
  if (!first) return null
  return (
    <div className={css.place}>
      <Sheet title="Lo que se firmó">
        <PostForm
          isNative
          action="/verify/document/signed.pdf"
          encType="multipart/form-data"
          className={form.form}
        >
          <p>
            Después de {more.length > 0 ? 'estas firmas' : 'esta firma'} se agregó algo al archivo.
            Puede descargarlo como estaba al firmarse. No guardamos su archivo: elíjalo otra vez.
          </p>
          {more.length > 0 ? (
            <SelectField
              name="signature"
              label="Como estaba al hacerse la firma"
              data={[...revisions]}
            />
          ) : (
            <input type="hidden" name="signature" value={first.value} />
          )}
          <FileField
            id="field-file-again"
            name="file"
            label="El mismo archivo PDF"
            accept=".pdf,application/pdf"
            required
          />
          <SubmitButton variant="default">Descargar la versión firmada</SubmitButton>
        </PostForm>
      </Sheet>
    </div>
  )
}
