import { data, redirect } from 'react-router'
import { z } from 'zod'
import { actorContext, entriesContext, systemContext } from '#app/http/context.ts'
import { flash } from '#app/http/cookies/flash.ts'
import { mustHaveChosen } from '#app/http/documents/chosen-documents.ts'
import { type FormErrors, readForm } from '#app/http/forms.ts'
import { answerTo, orErrorPage } from '#app/http/problems.ts'
import { withSentence } from '#app/http/with-sentence.ts'
import { CHOSEN } from '#app/messages/field-names.ts'
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
import { CancelDocument } from '#server/features/documents/cancel-document.ts'
import { cancelDocuments, listCancellable } from '#server/features/documents/cancel-documents.ts'
import type { Route } from './+types/cancel-several'
import css from './cancel-several.module.css'

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
  const found = await orErrorPage(listCancellable(system, actor, { documentIds }))
  const { drafts, ofOthers, noDrafts } = found
  return { drafts: drafts.map(rowOf), ofOthers: ofOthers.length, noDrafts: noDrafts.length }
}

const rowOf = ({ id, folio, title }: Document) => ({ id, folio, title })

type Answer =
  /** What was sent, to fill the form again. */
  | { kind: 'invalid'; errors: FormErrors; chosen: string[]; reason: string }
  /** Those that were not cancelled, each with its reason. */
  | { kind: 'refused'; cancelled: number; refused: { id: string; text: string }[] }

export async function action({ request, context }: Route.ActionArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const read = await orErrorPage(readForm(request, context, Fields))
  if (!read.ok) {
    const entries = context.get(entriesContext) ?? []
    const chosen = entries.flatMap(([name, value]) => (name === CHOSEN ? String(value) : []))
    const { errors, values } = read
    return data<Answer>({ kind: 'invalid', errors, chosen, reason: values.reason ?? '' }, 422)
  }
  const { document: documentIds, reason } = read.value
  const outcome = await orErrorPage(cancelDocuments(system, actor, { documentIds, reason }))
  const { cancelled, refused } = outcome
  const answers = refused.map(({ document, problem }) => ({ document, ...answerTo(problem) }))
  const [first] = answers
  if (!first)
    return redirect(LIST, {
      status: 303,
      headers: { 'Set-Cookie': flash('documents-cancelled') },
    })
  const shown = answers.map(({ document: { id, folio, title }, sentence }) => ({
    ...{ id, text: `${title} (${folio}): ${sentence}` },
  }))
  return data<Answer>(
    { kind: 'refused', cancelled: cancelled.length, refused: shown },
    cancelled.length > 0 ? 409 : first.status,
  )
}

export default function CancelSeveralPage({ loaderData, actionData }: Route.ComponentProps) {
  const { drafts, ofOthers, noDrafts } = loaderData
  const answer: Answer | undefined = actionData
  const sent = answer?.kind === 'invalid' ? answer : undefined
  return (
    <>
      <PageHead
        title="Cancelar borradores"
        lead={<PageLink to={LIST}>Volver a Documentos</PageLink>}
      />
      <Sheet>
        <div className={css.parts}>
          {answer?.kind === 'refused' && <Refusals {...answer} />}
          {answer?.kind !== 'refused' && <Others ofOthers={ofOthers} noDrafts={noDrafts} />}
          {drafts.length === 0 ? (
            <p>No queda ningún borrador que cancelar entre los documentos que marcó.</p>
          ) : (
            <PostForm className={form.form} noValidate>
              <p>
                Para borradores que se subieron por error. Nadie podrá firmarlos y no se puede
                deshacer; los documentos, sus folios y su historial se conservan.
              </p>
              <fieldset className={folds.choices}>
                <legend>Borradores</legend>
                {sent?.errors[CHOSEN]?.[0] && (
                  <p className={folds.fault} role="alert">
                    {sent.errors[CHOSEN][0]}
                  </p>
                )}
                {drafts.map(({ id, folio, title }) => (
                  <CheckRow
                    key={id}
                    id={`cancel-${id}`}
                    name={CHOSEN}
                    value={id}
                    label={title}
                    help={`Folio ${folio}`}
                    isChecked={sent?.chosen.includes(id) ?? true}
                  />
                ))}
              </fieldset>
              <TextField
                name="reason"
                label="Motivo"
                required
                maxLength={500}
                defaultValue={sent?.reason ?? ''}
                errors={sent?.errors.reason}
              />
              <SubmitButton color="bad" variant="light">
                Cancelar borradores
              </SubmitButton>
            </PostForm>
          )}
        </div>
      </Sheet>
    </>
  )
}

function Refusals({ cancelled, refused }: Omit<Extract<Answer, { kind: 'refused' }>, 'kind'>) {
  return (
    <>
      {cancelled > 0 && (
        <Notice tone="good">
          {cancelled === 1 ? 'Se canceló un borrador.' : `Se cancelaron ${cancelled} borradores.`}
        </Notice>
      )}
      <Notice tone="bad" title="No se canceló">
        <ul>
          {refused.map(({ id, text }) => (
            <li key={id}>{text}</li>
          ))}
        </ul>
      </Notice>
    </>
  )
}

function Others({ ofOthers, noDrafts }: { ofOthers: number; noDrafts: number }) {
  if (ofOthers + noDrafts === 0) return null
  return (
    <Notice tone="note" isLive={false}>
      {noDrafts > 0 &&
        (noDrafts === 1
          ? 'Uno de los documentos que marcó no es borrador: no se cancela aquí. '
          : `${noDrafts} de los documentos que marcó no son borradores: no se cancelan aquí. `)}
      {ofOthers > 0 &&
        (ofOthers === 1
          ? 'Uno lo subió otra persona o ya se envió a firma: lo cancela un notario o un abogado.'
          : `${ofOthers} los subió otra persona o ya se enviaron a firma: los cancela un notario o un abogado.`)}
    </Notice>
  )
}
