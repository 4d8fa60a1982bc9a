import type { FormErrors } from '#app/http/forms.ts'
import { Notice } from '#app/ui/feedback/notice.tsx'
import { FormRefusal } from '#app/ui/forms/form-refusal.tsx'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { TextField } from '#app/ui/forms/text-field.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import css from './guest.module.css'
import type { RejectView } from './reject-view.ts'

type Props = { view: RejectView; typed: string; errors?: FormErrors | undefined }

/** The reason, and how the signer proves who they are. Once a code was mailed, the field for it. */
export function RejectForm({ view, typed, errors }: Props) {
  const { documents, office, hasCopy, address, codeUntil } = view
  return (
    <Sheet>
      <PostForm className={css.consent} noValidate>
        <FormRefusal errors={errors?.form} />
        <p>
          {documents === 1
            ? 'Nadie más podrá firmar este documento en esta sesión.'
            : `Nadie más podrá firmar los ${documents} documentos de esta sesión.`}{' '}
          {office} recibirá su motivo
          {hasCopy
            ? '. Conservará la copia de lo que ya firmó.'
            : ', y este enlace dejará de servir.'}
        </p>
        <TextField
          name="reason"
          label="Motivo"
          help="Por ejemplo: mi nombre está mal escrito."
          maxLength={500}
          required
          defaultValue={typed}
          errors={errors?.reason}
        />
        {codeUntil ? (
          <CodePart until={codeUntil} address={address} errors={errors} />
        ) : (
          <WaysToProve address={address} />
        )}
      </PostForm>
    </Sheet>
  )
}

function WaysToProve({ address }: Pick<RejectView, 'address'>) {
  return (
    <>
      <p>
        Compruebe que es usted: así nadie que solo tenga su enlace puede rechazar en su nombre.{' '}
        {address
          ? `El código llega a ${address}, el correo que tiene la notaría.`
          : 'La notaría no tiene su correo electrónico; si no puede usar su e.firma, avísele: puede cancelar la sesión.'}
      </p>
      <div className={css.ways}>
        <SubmitButton name="proof" value="efirma">
          Seguir con mi e.firma
        </SubmitButton>
        {address && (
          <SubmitButton name="proof" value="mail" variant="default">
            Recibir un código por correo
          </SubmitButton>
        )}
      </div>
    </>
  )
}

type CodeProps = Pick<RejectView, 'address'> & { until: string; errors: FormErrors | undefined }

function CodePart({ address, until, errors }: CodeProps) {
  return (
    <>
      <Notice tone="note" isLive={false}>
        Le enviamos un código a {address}. Sirve una vez, hasta el {until}; solo vale el más
        reciente.
      </Notice>
      <TextField
        name="code"
        label="Código del correo"
        help="Diez letras y números, por ejemplo 7K3F9-QZA4M."
        autoComplete="one-time-code"
        spellCheck={false}
        maxLength={40}
        required
        errors={errors?.code}
      />
      <div className={css.ways}>
        <SubmitButton name="proof" value="code" color="bad" variant="light">
          Rechazar la firma
        </SubmitButton>
        <SubmitButton name="proof" value="mail" variant="default">
          Enviar otro código
        </SubmitButton>
        <SubmitButton name="proof" value="efirma" variant="default">
          Seguir con mi e.firma
        </SubmitButton>
      </div>
    </>
  )
}
