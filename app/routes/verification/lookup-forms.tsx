import type { FormErrors } from '#app/http/forms.ts'
import { FileField } from '#app/ui/forms/file-field.tsx'
import form from '#app/ui/forms/form.module.css'
import { FormRefusal } from '#app/ui/forms/form-refusal.tsx'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { TextField } from '#app/ui/forms/text-field.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { FileLookup } from './file-lookup.tsx'
import css from './lookup-forms.module.css'

type Props = {
  code?: string | undefined
  errors?: FormErrors | undefined
}

/** The two lookups: by the printed code, or by the file. */
export function LookupForms({ code, errors }: Props) {
  return (
    <div className={css.forms}>
      <Sheet title="Con el código">
        <form method="get" action="/verify/document" className={form.form}>
          <TextField
            name="code"
            label="Código de verificación"
            help="Está junto al código QR, en la hoja de firmas."
            autoComplete="off"
            spellCheck={false}
            required
            maxLength={300}
            defaultValue={code ?? ''}
            errors={errors?.code}
          />
          <SubmitButton>Buscar</SubmitButton>
        </form>
      </Sheet>
      <Sheet title="Con el archivo">
        <PostForm
          action="/verify/document"
          encType="multipart/form-data"
          className={form.form}
          noValidate
        >
          <FormRefusal errors={errors?.form} />
          <FileField
            name="file"
            label="Archivo PDF"
            accept=".pdf,application/pdf"
            help="Cualquier PDF firmado. Se revisa en el momento y no se guarda."
            required
            errors={errors?.file}
          />
          <FileLookup />
          <FileField
            name="constancia"
            label="Constancia NOM-151 (opcional)"
            accept=".asn1,.tsr,.tst,.der,.cns,.txt,application/timestamp-reply"
            help="La que acompaña al documento, si se la entregaron aparte. Prueba desde cuándo existe el archivo."
            errors={errors?.constancia}
          />
          <SubmitButton>Verificar archivo</SubmitButton>
          <div className={css.reports}>
            <SubmitButton variant="default" formAction="/verify/document/report.pdf">
              Informe de verificación en PDF
            </SubmitButton>
          </div>
          <details className={css.others}>
            <summary>Otros formatos</summary>
            <SubmitButton variant="default" formAction="/verify/document/report.json">
              Informe de verificación en JSON
            </SubmitButton>
          </details>
        </PostForm>
      </Sheet>
    </div>
  )
}
