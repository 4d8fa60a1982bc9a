import { data, redirect } from 'react-router'
import { z } from 'zod'
import { CHOSEN, mustHaveChosen } from '#app/http/chosen-documents.ts'
import { actorContext, systemContext } from '#app/http/context.ts'
import { flash } from '#app/http/cookies/flash.ts'
import { type FormErrors, readForm } from '#app/http/forms.ts'
import { orErrorPage, refusalOf } from '#app/http/problems.ts'
import { withSentence } from '#app/http/with-sentence.ts'
import { Notice } from '#app/ui/feedback/notice.tsx'
import { CheckRow } from '#app/ui/forms/check-row.tsx'
import form from '#app/ui/forms/form.module.css'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { TextField } from '#app/ui/forms/text-field.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import folds from '#app/ui/lists/folds.module.css'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { ChosenDocuments, MOST_CHOSEN } from '#server/domain/documents/chosen.ts'
import type { Document } from '#server/domain/documents/document.ts'
import { CancelDocument, cancelDocument } from '#server/features/documents/cancel-document.ts'
import { listChosenDrafts } from '#server/features/documents/list-chosen-drafts.ts'
import type { Route } from './+types/cancel-several'

const LIST = '/dashboard/documents'

const Fields = z.object({
  [CHOSEN]: withSentence(
    z.preprocess((value) => (Array.isArray(value) ? value : [value]), ChosenDocuments),
    `Marque al menos un borrador, y hasta ${MOST_CHOSEN}.`,
  ),
  reason: withSentence(
    CancelDocument.shape.reason.pipe(z.string().min(1)),
    'Escriba el motivo, hasta 500 caracteres.',
  ),
})

export const handle = { hydrate: true, label: 'Cancelar borradores' }

export const meta: Route.MetaFunction = () => [{ title: 'Cancelar borradores · Rúbrica' }]

export async function loader({ url, context }: Route.LoaderArgs) {
  const documentIds = mustHaveChosen(url.searchParams)
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const { drafts, others } = await orErrorPage(listChosenDrafts(system, actor, { documentIds }))
  return { drafts: drafts.map(rowOf), others: others.map(rowOf) }
}

const rowOf = ({ id, folio, title }: Document) => ({ id, folio, title })

type Refused = { id: string; sentence: string }
type Answer = {
  errors?: FormErrors
  values?: Record<string, string>
  /** How many were cancelled, and why the others were not. */
  cancelled?: number
  refused?: Refused[]
}

export async function action({ request, context }: Route.ActionArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const read = await orErrorPage(readForm(request, context, Fields))
  if (!read.ok) return data<Answer>({ errors: read.errors, values: read.values }, 422)
  const { document: documentIds, reason } = read.value
  await orErrorPage(listChosenDrafts(system, actor, { documentIds }))
  const refused: Refused[] = []
  let status = 409
  for (const documentId of documentIds) {
    const answer = await refusalOf(cancelDocument(system, actor, { documentId, reason }))
    if (answer.ok) continue
    refused.push({ id: documentId, sentence: answer.sentence })
    if (refused.length === documentIds.length) status = answer.init.status
  }
  if (refused.length === 0)
    return redirect(LIST, {
      status: 303,
      headers: { 'Set-Cookie': flash('documents-cancelled') },
    })
  const cancelled = documentIds.length - refused.length
  return data<Answer>({ values: { reason }, cancelled, refused }, status)
}

export default function CancelSeveralPage({ loaderData, actionData }: Route.ComponentProps) {
  const { drafts, others } = loaderData
  const { errors, values, cancelled = 0, refused = [] }: Answer = actionData ?? {}
  const sentences = new Map(refused.map(({ id, sentence }) => [id, sentence]))
  return (
    <>
      <PageHead
        title="Cancelar borradores"
        lead={<PageLink to={LIST}>Volver a Documentos</PageLink>}
      />
      <Sheet>
        {drafts.length === 0 ? (
          <p>Ninguno de los documentos que marcó es un borrador: no hay nada que cancelar.</p>
        ) : (
          <PostForm className={form.form} noValidate>
            {cancelled > 0 && <Notice tone="good">{cancelledText(cancelled)}</Notice>}
            {refused.length > 0 && <Notice tone="bad">{refusedText(refused.length)}</Notice>}
            <p>
              Para borradores que se subieron por error. Nadie podrá firmarlos y no se puede
              deshacer; los documentos, sus folios y su historial se conservan.
            </p>
            <fieldset className={folds.choices}>
              <legend>Borradores</legend>
              {errors?.[CHOSEN]?.[0] && (
                <p className={folds.fault} role="alert">
                  {errors[CHOSEN][0]}
                </p>
              )}
              {drafts.map(({ id, folio, title }) => (
                <CheckRow
                  key={id}
                  id={`cancel-${id}`}
                  name={CHOSEN}
                  value={id}
                  label={title}
                  help={[`Folio ${folio}`, sentences.get(id)].filter(Boolean).join('. ')}
                  isChecked
                />
              ))}
            </fieldset>
            {others.length > 0 && <p>{othersText(others.length)}</p>}
            <TextField
              name="reason"
              label="Motivo"
              required
              maxLength={500}
              defaultValue={values?.reason ?? ''}
              errors={errors?.reason}
            />
            <SubmitButton>Cancelar borradores</SubmitButton>
          </PostForm>
        )}
      </Sheet>
    </>
  )
}

const cancelledText = (count: number) =>
  count === 1 ? 'Se canceló un borrador.' : `Se cancelaron ${count} borradores.`

const refusedText = (count: number) =>
  count === 1
    ? 'Un borrador no se canceló: la razón está junto a él.'
    : `${count} borradores no se cancelaron: la razón está junto a cada uno.`

const othersText = (count: number) =>
  count === 1
    ? 'Marcó además un documento que no es borrador: no se cancela aquí.'
    : `Marcó además ${count} documentos que no son borradores: no se cancelan aquí.`
