import { data, redirect } from 'react-router'
import { z } from 'zod'
import { FIELD_COUNT_LIMIT } from '#app/http/body.ts'
import { actorContext, entriesContext, systemContext } from '#app/http/context.ts'
import { flash } from '#app/http/cookies/flash.ts'
import { type FormErrors, readForm } from '#app/http/forms.ts'
import { newOnce } from '#app/http/once.ts'
import { orErrorPage, refusalOnPage } from '#app/http/problems.ts'
import { withSentence } from '#app/http/with-sentence.ts'
import { actChoices } from '#app/routes/signing/sessions/act-choices.ts'
import { SessionFields } from '#app/routes/signing/sessions/session-fields.tsx'
import { actField, deadlineOf, sessionFields } from '#app/routes/signing/sessions/session-forms.ts'
import { Notice } from '#app/ui/feedback/notice.tsx'
import form from '#app/ui/forms/form.module.css'
import { OnceField } from '#app/ui/forms/once-field.tsx'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SelectField } from '#app/ui/forms/select-field.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { DocumentId } from '#server/domain/ids.ts'
import type { ProblemCode } from '#server/domain/problem.ts'
import { listActs } from '#server/features/acts/list-acts.ts'
import { readOffice } from '#server/features/offices/read-office.ts'
import {
  CreateSigningSession,
  createSigningSession,
} from '#server/features/signing-sessions/create-signing-session.ts'
import { MOST_DOCUMENTS } from '#server/features/signing-sessions/session-data.ts'
import type { Route } from './+types/new'
import { type ChoiceStep, moved, stepOf } from './choice-step.ts'
import { type Choice, type ChoiceView, choiceView } from './choice-view.ts'
import { DocumentChoice } from './document-choice.tsx'
import css from './new.module.css'

const Fields = z.object({
  ...sessionFields,
  act: actField,
  once: CreateSigningSession.shape.once,
  document: withSentence(
    z.preprocess(
      (value) => (value === undefined || Array.isArray(value) ? (value ?? []) : [value]),
      z.array(DocumentId).min(1).max(MOST_DOCUMENTS),
    ),
    `Elija al menos un documento, y hasta ${MOST_DOCUMENTS}.`,
  ),
})

/** The field at which a refusal is shown. */
const FIELDS: Partial<Record<ProblemCode, string>> = { 'session-deadline': 'deadline' }

/** A checkbox per document, plus the other fields. */
const MAX_FIELDS = MOST_DOCUMENTS + FIELD_COUNT_LIMIT

export const handle = { hydrate: true, label: 'Nueva sesión de firma' }

export const meta: Route.MetaFunction = () => [{ title: 'Nueva sesión de firma · Rúbrica' }]

export async function loader({ url, context }: Route.LoaderArgs) {
  const chosen = url.searchParams.getAll('document')
  const choice = await orErrorPage(choiceView(context, { chosen, text: '', behind: '' }))
  const acts = await orErrorPage(listActs(context.get(systemContext), context.get(actorContext)))
  return { choice, acts: actChoices(acts), once: newOnce() }
}

type Shown = { errors: FormErrors; values: Record<string, string>; choice: ChoiceView }

export async function action({ request, context }: Route.ActionArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const read = await orErrorPage(readForm(request, context, Fields, { maxFields: MAX_FIELDS }))
  const entries = (context.get(entriesContext) ?? []).map(
    ([name, value]) => [name, String(value)] as const,
  )
  const values: Record<string, string> = Object.fromEntries(entries)
  const chosen = entries.filter(([name]) => name === 'document').map(([, value]) => value)
  const { text = '', behind = '' } = values
  const shown = async (errors: FormErrors, choice: Choice): Promise<Shown> => ({
    ...{ errors, values },
    choice: await orErrorPage(choiceView(context, choice)),
  })
  const step = stepOf(values.do)
  if (step) return await shown({}, await afterStep(step))
  if (!read.ok) return data(await shown(read.errors, { chosen, text, behind }), 422)

  const { timeZone } = await orErrorPage(readOffice(system, actor))
  const { title, message, deadline, act, document, once } = read.value
  const input = {
    ...{ title, message: message || null, documentIds: document, signers: [] },
    deadline: deadlineOf(deadline, timeZone),
    actId: act ?? null,
    once,
  }
  const answer = await refusalOnPage(createSigningSession(system, actor, input))
  if (!answer.ok) {
    const field = FIELDS[answer.code] ?? 'form'
    const refused = await shown({ [field]: [answer.sentence] }, { chosen, text, behind })
    return data(refused, answer.init)
  }
  return redirect(`/dashboard/signing/${answer.value.id}`, {
    status: 303,
    headers: { 'Set-Cookie': flash('session-created') },
  })

  async function afterStep(asked: ChoiceStep): Promise<Choice> {
    switch (asked.kind) {
      case 'search':
        return { chosen, text, behind: '' }
      case 'next':
        return { chosen, text, behind: values.after ?? '' }
      case 'add-page': {
        const { found } = await orErrorPage(choiceView(context, { chosen, text, behind }))
        return { chosen: [...chosen, ...found.map(({ id }) => id)], text, behind }
      }
      case 'up':
      case 'down':
        return { chosen: moved(chosen, asked), text, behind }
    }
  }
}

export default function NewSession({ loaderData, actionData }: Route.ComponentProps) {
  const { once, acts } = loaderData
  const { errors, values, choice = loaderData.choice }: Partial<Shown> = actionData ?? {}
  return (
    <>
      <PageHead
        title="Nueva sesión de firma"
        lead="Elija los documentos. Después agregue a los firmantes y abra la sesión: hasta entonces nadie recibe aviso."
      />
      <Sheet>
        <PostForm
          action="/dashboard/signing/new"
          className={form.form}
          noValidate
          preventScrollReset
        >
          <button
            type="submit"
            name="do"
            value="search"
            className={css.first}
            tabIndex={-1}
            aria-hidden
          >
            Buscar
          </button>
          <OnceField once={once} />
          {errors?.form?.[0] && <Notice tone="bad">{errors.form[0]}</Notice>}
          <SessionFields values={values ?? {}} errors={errors} />
          <SelectField
            name="act"
            label="Acto (opcional)"
            help="Dice quiénes deben firmar y si el acto puede firmarse electrónicamente en su entidad."
            data={acts}
            defaultValue={values?.act ?? ''}
            errors={errors?.act}
          />
          {/* A new choice has new boxes: those of the page before would keep their marks. */}
          <DocumentChoice key={keyOf(choice)} choice={choice} fault={errors?.document?.[0]} />
          <SubmitButton>Crear sesión</SubmitButton>
        </PostForm>
      </Sheet>
    </>
  )
}

const keyOf = ({ chosen, text, behind }: ChoiceView) =>
  [text, behind, ...chosen.map(({ id }) => id)].join(' ')
