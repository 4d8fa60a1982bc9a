import { data } from 'react-router'
import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { readUpload } from '#app/http/forms.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { refusalOrStepUp, requireRecentProof } from '#app/http/step-up.ts'
import { Notice } from '#app/ui/feedback/notice.tsx'
import { FileField } from '#app/ui/forms/file-field.tsx'
import form from '#app/ui/forms/form.module.css'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { Sheets } from '#app/ui/frame/sheets.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { importAuthorities } from '#server/features/offices/import-authorities.ts'
import type { Route } from './+types/import-authorities-page'
import { type ImportView, importView } from './import-view.ts'
import { ImportedList } from './imported-list.tsx'
import css from './office.module.css'

export const handle = { hydrate: true, label: 'Importar autoridades' }

export const meta: Route.MetaFunction = () => [{ title: 'Importar autoridades · Rúbrica' }]

/** Steps up before the form: a form with a file cannot be kept. */
export function loader({ context, url }: Route.LoaderArgs) {
  requireRecentProof({ context, url })
  return null
}

export async function action({ request, url, context }: Route.ActionArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const work = readUpload(request, context, z.object({}), (_fields, file) =>
    importAuthorities(system, actor, { fileName: file.name, content: file.chunks }),
  )
  const answer = await refusalOrStepUp({ request, url, context }, work)
  if (!answer.ok) {
    if (answer.init.status === 413) return data<Answer>({ error: TOO_LARGE }, 413)
    if (answer.init.status !== 409) await orErrorPage(work)
    return data<Answer>({ error: answer.sentence }, 409)
  }
  if (!answer.value.ok) return data<Answer>({ error: NO_FILE }, 422)
  const view = importView(answer.value.value)
  return view.rows.length > 0
    ? data<Answer>({ imported: view })
    : data<Answer>({ error: NOTHING_READ }, 422)
}

type Answer = { error?: string; imported?: ImportView }

const TOO_LARGE =
  'El archivo supera 2 MB. Elija el que publica la autoridad, o uno solo de sus certificados.'
const NO_FILE = 'Elija un archivo.'
const NOTHING_READ =
  'En el archivo no se pudo leer ningún certificado. Elija un .zip, .cer, .crt, .pem o .p7b de la autoridad.'

export default function ImportAuthorities({ actionData }: Route.ComponentProps) {
  const { error, imported }: Answer = actionData ?? {}
  return (
    <>
      <PageHead
        title="Importar autoridades"
        lead={<PageLink to="/dashboard/settings/authorities">Volver a las autoridades</PageLink>}
      />
      <Sheets>
        {imported && (
          <Sheet title="Lo que había en el archivo">
            <Notice tone={imported.tone}>{imported.sentence}</Notice>
            <ImportedList view={imported} />
          </Sheet>
        )}
        <Sheet>
          <p className={css.lead}>
            Traiga los certificados como los publican el SAT, el Banco de México o la Secretaría de
            Economía. Las autoridades que Rúbrica conoce por su huella cuentan desde ese momento; de
            cualquier otra debe decidir usted, y mientras tanto no cuenta.
          </p>
          <PostForm encType="multipart/form-data" className={form.form}>
            <FileField
              name="file"
              label="Archivo de la autoridad"
              accept=".zip,.cer,.crt,.der,.pem,.p7b,.p7c"
              help="Un .zip con certificados, o un certificado (.cer, .crt, .pem, .p7b), hasta 2 MB."
              required
              errors={error ? [error] : undefined}
            />
            <SubmitButton>Importar</SubmitButton>
          </PostForm>
        </Sheet>
      </Sheets>
    </>
  )
}
