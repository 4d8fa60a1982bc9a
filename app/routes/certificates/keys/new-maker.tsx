import { data, redirect } from 'react-router'
import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { flash } from '#app/http/cookies/flash.ts'
import { type FormErrors, readForm, UploadedFile } from '#app/http/forms.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { refusalOrStepUp, requireRecentProof } from '#app/http/step-up.ts'
import { withSentence } from '#app/http/with-sentence.ts'
import { FileField } from '#app/ui/forms/file-field.tsx'
import form from '#app/ui/forms/form.module.css'
import { FormRefusal } from '#app/ui/forms/form-refusal.tsx'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { TextField } from '#app/ui/forms/text-field.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { Sheets } from '#app/ui/frame/sheets.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { Reason } from '#server/domain/identity/factor-removal.ts'
import { addMakerCertificates } from '#server/features/yubikeys/add-maker-certificates.ts'
import type { Route } from './+types/new-maker'
import css from './key.module.css'

const LIST = '/dashboard/certificates/keys/makers'

export const handle = { hydrate: true, label: 'Agregar raíz del fabricante' }

export const meta: Route.MetaFunction = () => [{ title: 'Agregar raíz del fabricante · Rúbrica' }]

const MakerForm = z.strictObject({
  file: UploadedFile,
  reason: withSentence(
    Reason,
    'Escriba de dónde viene y con qué se comparó, de 10 a 300 caracteres.',
  ),
})

/** Steps up before the form: a form with a file cannot be kept. */
export function loader({ context, url }: Route.LoaderArgs) {
  requireRecentProof({ context, url })
  return null
}

type Answer = { errors: FormErrors; values: Record<string, string> }

export async function action({ request, url, context }: Route.ActionArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const read = await orErrorPage(readForm(request, context, MakerForm))
  if (!read.ok) return data<Answer>({ errors: read.errors, values: read.values }, 422)
  const { file, reason } = read.value
  const values = { reason }
  const work = addMakerCertificates(system, actor, {
    fileName: file.name,
    file: file.bytes,
    reason,
  })
  const answer = await refusalOrStepUp({ request, url, context }, work)
  if (!answer.ok) {
    if (answer.init.status !== 409) await orErrorPage(work)
    return data<Answer>({ errors: { form: [answer.sentence] }, values }, answer.init)
  }
  const { kind } = answer.value
  if (kind !== 'added' && kind !== 'known')
    return data<Answer>({ errors: { file: [FAULTS[kind]] }, values }, 422)
  const notice = kind === 'added' ? 'maker-added' : 'maker-known'
  return redirect(LIST, { status: 303, headers: { 'Set-Cookie': flash(notice) } })
}

const FAULTS = {
  'nothing-read':
    'En el archivo no se pudo leer ningún certificado. Elija el .pem, .crt o .der del fabricante.',
  'no-authority':
    'El certificado no puede emitir otros: es de una llave o de una persona, no del fabricante.',
  'for-testing': 'Es la raíz de una demostración: no prueba nada en una notaría de verdad.',
}

export default function NewMaker({ actionData }: Route.ComponentProps) {
  const { errors, values }: Partial<Answer> = actionData ?? {}
  return (
    <>
      <PageHead
        title="Agregar raíz del fabricante"
        lead={<PageLink to={LIST}>Volver a las raíces del fabricante</PageLink>}
      />
      <Sheets>
        <Sheet>
          <p className={css.lead}>
            Descargue la raíz del sitio del fabricante, con sus intermedios si los publica, y
            compare su huella por otro medio. Quien agregue una raíz falsa puede hacer pasar por
            comprobada una clave que no está en ninguna llave. No cuenta para las firmas.
          </p>
          <PostForm encType="multipart/form-data" className={form.form} noValidate>
            <FormRefusal errors={errors?.form} />
            <FileField
              name="file"
              label="Certificados del fabricante"
              accept=".pem,.crt,.cer,.der"
              help="Un archivo .pem, .crt o .der, hasta 256 KB."
              required
              errors={errors?.file}
            />
            <TextField
              name="reason"
              label="De dónde viene y con qué se comparó"
              help="De 10 a 300 caracteres. Queda en la bitácora."
              required
              minLength={10}
              maxLength={300}
              defaultValue={values?.reason ?? ''}
              errors={errors?.reason}
            />
            <SubmitButton>Agregar</SubmitButton>
          </PostForm>
        </Sheet>
      </Sheets>
    </>
  )
}
