import { data, redirect } from 'react-router'
import { z } from 'zod'
import { FIELD_COUNT_LIMIT } from '#app/http/body.ts'
import { actorContext, entriesContext, systemContext } from '#app/http/context.ts'
import { flash } from '#app/http/cookies/flash.ts'
import { documentRow } from '#app/http/document-row.ts'
import { type FormErrors, readForm } from '#app/http/forms.ts'
import { newOnce } from '#app/http/once.ts'
import { orErrorPage, refusalOnPage } from '#app/http/problems.ts'
import { withSentence } from '#app/http/with-sentence.ts'
import { Notice } from '#app/ui/feedback/notice.tsx'
import { CheckRow } from '#app/ui/forms/check-row.tsx'
import form from '#app/ui/forms/form.module.css'
import { OnceField } from '#app/ui/forms/once-field.tsx'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { EmptyState } from '#app/ui/lists/empty-state.tsx'
import folds from '#app/ui/lists/folds.module.css'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { DocumentId } from '#server/domain/ids.ts'
import { listDrafts } from '#server/features/documents/list-drafts.ts'
import { readOffice } from '#server/features/offices/read-office.ts'
import {
  CreateSigningSession,
  createSigningSession,
} from '#server/features/signing-sessions/create-signing-session.ts'
import { MOST_DOCUMENTS } from '#server/features/signing-sessions/session-data.ts'
import type { Route } from './+types/new'
import css from './session.module.css'
import { SessionFields } from './session-fields.tsx'
import { deadlineOf, sessionFields } from './session-forms.ts'

const Fields = z.object({
  ...sessionFields,
  once: CreateSigningSession.shape.once,
  document: withSentence(
    z.preprocess(
      (value) => (value === undefined || Array.isArray(value) ? (value ?? []) : [value]),
      z.array(DocumentId).min(1).max(MOST_DOCUMENTS),
    ),
    'Marque al menos un documento.',
  ),
})

/** A checkbox per document, plus the other fields. */
const MAX_FIELDS = MOST_DOCUMENTS + FIELD_COUNT_LIMIT

export const handle = { hydrate: true, label: 'Nueva sesión de firma' }

export const meta: Route.MetaFunction = () => [{ title: 'Nueva sesión de firma · Rúbrica' }]

export async function loader({ url, context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const { timeZone } = await orErrorPage(readOffice(system, actor))
  const { drafts, isMore } = await orErrorPage(listDrafts(system, actor))
  return {
    drafts: drafts.map((document) => documentRow(document, timeZone)),
    isMore,
    marked: url.searchParams.getAll('document'),
    once: newOnce(),
  }
}

type Fault = { errors: FormErrors; values: Record<string, string>; marked: string[] }

export async function action({ request, context }: Route.ActionArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const read = await orErrorPage(readForm(request, context, Fields, { maxFields: MAX_FIELDS }))
  const entries = context.get(entriesContext) ?? []
  const marked = entries.filter(([name]) => name === 'document').map(([, value]) => String(value))
  if (!read.ok)
    return data({ errors: read.errors, values: read.values, marked } satisfies Fault, 422)
  const { timeZone } = await orErrorPage(readOffice(system, actor))
  const { title, message, deadline, document, once } = read.value
  const input = {
    ...{ title, message: message || null, documentIds: document, signers: [] },
    deadline: deadlineOf(deadline, timeZone),
    once,
  }
  const answer = await refusalOnPage(createSigningSession(system, actor, input))
  if (!answer.ok) {
    const field = answer.code === 'session-deadline' ? 'deadline' : 'form'
    const values = Object.fromEntries(entries.map(([name, value]) => [name, String(value)]))
    return data({ errors: { [field]: [answer.sentence] }, values, marked }, answer.init)
  }
  return redirect(`/dashboard/signing/${answer.value.id}`, {
    status: 303,
    headers: { 'Set-Cookie': flash('session-created') },
  })
}

export default function NewSession({ loaderData, actionData }: Route.ComponentProps) {
  const { drafts, isMore, marked, once } = loaderData
  const { errors, values, marked: chosen }: Partial<Fault> = actionData ?? {}
  const isMarked = new Set(chosen ?? marked)
  return (
    <>
      <PageHead
        title="Nueva sesión de firma"
        lead="Elija los documentos. Después agregue a los firmantes y abra la sesión: hasta entonces nadie recibe aviso."
      />
      <Sheet>
        {drafts.length === 0 ? (
          <EmptyState next={<PageLink to="/dashboard/documents/new">Subir documento</PageLink>}>
            No hay borradores que firmar.
          </EmptyState>
        ) : (
          <PostForm action="/dashboard/signing/new" className={form.form} noValidate>
            <OnceField once={once} />
            {errors?.form?.[0] && <Notice tone="bad">{errors.form[0]}</Notice>}
            <SessionFields values={values ?? {}} errors={errors} />
            <fieldset className={folds.choices}>
              <legend>Documentos</legend>
              {errors?.document?.[0] && (
                <p className={folds.fault} role="alert">
                  {errors.document[0]}
                </p>
              )}
              {drafts.map((row) => (
                <CheckRow
                  key={row.id}
                  id={`document-${row.id}`}
                  name="document"
                  value={row.id}
                  label={row.title}
                  help={`Folio ${row.folio} · ${row.created}`}
                  isChecked={isMarked.has(row.id)}
                />
              ))}
              {isMore && (
                <p className={css.quiet}>
                  Se muestran los 500 borradores más recientes, los que caben en una sesión.
                </p>
              )}
            </fieldset>
            <SubmitButton>Crear sesión</SubmitButton>
          </PostForm>
        )}
      </Sheet>
    </>
  )
}
