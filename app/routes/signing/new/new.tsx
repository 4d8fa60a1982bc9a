import { data, redirect } from 'react-router'
import { z } from 'zod'
import { FIELD_COUNT_LIMIT } from '#app/http/body.ts'
import { actorContext, entriesContext, systemContext } from '#app/http/context.ts'
import { flash } from '#app/http/cookies/flash.ts'
import { type FormErrors, readForm } from '#app/http/forms.ts'
import { takeShownForm } from '#app/http/kept-form.ts'
import { newOnce } from '#app/http/once.ts'
import { orErrorPage, refusalOnPage } from '#app/http/problems.ts'
import { withSentence } from '#app/http/with-sentence.ts'
import { actChoices } from '#app/routes/signing/sessions/act-choices.ts'
import { SessionFields } from '#app/routes/signing/sessions/session-fields.tsx'
import { actField, deadlineOf, sessionFields } from '#app/routes/signing/sessions/session-forms.ts'
import { withOwnFirst } from '#app/ui/document/document-filters.ts'
import { ProtocolNotice } from '#app/ui/document/protocol-notice.tsx'
import { Notice } from '#app/ui/feedback/notice.tsx'
import form from '#app/ui/forms/form.module.css'
import { FormRefusal } from '#app/ui/forms/form-refusal.tsx'
import { OnceField } from '#app/ui/forms/once-field.tsx'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SelectField } from '#app/ui/forms/select-field.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { documentFiltersIn } from '#server/domain/documents/document-filters.ts'
import { DocumentId } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import type { ProblemCode } from '#server/domain/problem.ts'
import { listActs } from '#server/features/acts/list-acts.ts'
import { readOffice } from '#server/features/offices/read-office.ts'
import {
  CreateSigningSession,
  createSigningSession,
} from '#server/features/signing-sessions/create-signing-session.ts'
import { MOST_DOCUMENTS, MOST_SIGNERS } from '#server/features/signing-sessions/session-data.ts'
import type { Route } from './+types/new'
import { rowsForAct } from './apply-act.ts'
import { type ChoiceStep, moved, stepOf } from './choice-step.ts'
import { type Choice, type ChoiceView, choiceAddress, choiceView } from './choice-view.ts'
import { DocumentChoice } from './document-choice.tsx'
import css from './new.module.css'
import { requestedSigners } from './requested-signers.ts'
import { SignerChoice } from './signer-choice.tsx'
import { FIELDS_OF_ROW, rowsIn, type SignerRow, withRow } from './signer-rows.ts'
import {
  actOf,
  type ChosenAct,
  chosenAct,
  type OfferedParty,
  offeredParties,
  staffOf,
  withParties,
} from './signer-view.ts'

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

const PATH = '/dashboard/signing/new'

/** The field at which a refusal is shown. */
const FIELDS: Partial<Record<ProblemCode, string>> = { 'session-deadline': 'deadline' }

/** Of a search, and of the place in it: the address has both. */
const MOST_LETTERS = 200

/** A checkbox per document, the rows of the signers, and the other fields. */
const MAX_FIELDS = MOST_DOCUMENTS + FIELD_COUNT_LIMIT + MOST_SIGNERS * FIELDS_OF_ROW

export const handle = { hydrate: true, label: 'Nueva sesión de firma' }

export const meta: Route.MetaFunction = () => [{ title: 'Nueva sesión de firma · Rúbrica' }]

export async function loader({ request, url, context }: Route.LoaderArgs) {
  const kept = await takeShownForm(request, context, url)
  const fields = kept?.path === PATH ? kept.fields : []
  const again = fields.flatMap(([name, value]) => (name === 'document' ? value : []))
  const asked = url.searchParams.getAll('document')
  const query = Object.fromEntries(url.searchParams)
  const search = {
    ...{ text: query.text ?? '', behind: query.behind ?? '' },
    filters: documentFiltersIn(query),
  }
  const first = await orErrorPage(choiceView(context, { ...search, chosen: asked }))
  const shown = new Set<string>([...first.chosen, ...first.found].map(({ id }) => id))
  // Those on the page are marked there; the others need their titles.
  const unseen = again.filter((id) => !shown.has(id))
  const chosen = [...asked, ...unseen]
  const choice =
    unseen.length === 0 ? first : await orErrorPage(choiceView(context, { ...search, chosen }))
  const { colleagues } = await orErrorPage(staffOf(context))
  const { userId } = mustBeSignedIn(context.get(actorContext))
  const acts = await orErrorPage(listActs(context.get(systemContext), context.get(actorContext)))
  return {
    ...{ choice, colleagues, acts: actChoices(acts), once: newOnce() },
    /** Of those in the address, how many are no drafts. */
    noDrafts: new Set(asked).size - first.chosen.length,
    people: withOwnFirst(colleagues, userId),
    /** What a session of one document is probably called. */
    title: asked.length === 1 ? (first.chosen[0]?.title ?? '') : '',
    rows: rowsIn(fields, MOST_SIGNERS),
  }
}

type Shown = {
  errors: FormErrors
  values: Record<string, string>
  choice: ChoiceView
  rows: SignerRow[]
  act: ChosenAct | null
  offer: { text: string; found: OfferedParty[] }
}

export async function action({ request, url, context }: Route.ActionArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const read = await orErrorPage(readForm(request, context, Fields, { maxFields: MAX_FIELDS }))
  const entries = (context.get(entriesContext) ?? []).map(
    ([name, value]) => [name, String(value)] as const,
  )
  const values: Record<string, string> = Object.fromEntries(entries)
  const all = (wanted: string) => entries.flatMap(([name, value]) => (name === wanted ? value : []))
  const typed: Typed = {
    documents: {
      chosen: all('document'),
      text: (values.text ?? '').slice(0, MOST_LETTERS),
      behind: (values.behind ?? '').slice(0, MOST_LETTERS),
      filters: documentFiltersIn(values),
    },
    rows: rowsIn(entries, MOST_SIGNERS),
  }
  const act = await orErrorPage(actOf(context, values.act ?? ''))
  const staff = await orErrorPage(staffOf(context))
  const shown = async (errors: FormErrors, { documents, rows }: Typed): Promise<Shown> => ({
    ...{ errors, values, rows, act: chosenAct(act) },
    choice: await orErrorPage(choiceView(context, documents)),
    offer: {
      text: values.party ?? '',
      found: await orErrorPage(offeredParties(context, values.party ?? '')),
    },
  })
  const step = stepOf(values.do)
  const address = step && addressAfter(step)
  // The browser sends the same form again, to the address that has the search.
  if (address && !isSameSearch(address, url)) return redirect(address, 307)
  if (step) return await shown({}, await afterStep(step))
  const { signers, errors } = requestedSigners(typed.rows, staff.characterless)
  if (!read.ok || Object.keys(errors).length > 0)
    return data(await shown({ ...errors, ...(read.ok ? {} : read.errors) }, typed), 422)

  const { timeZone } = await orErrorPage(readOffice(system, actor))
  const { title, message, deadline, act: actId = null, document, once } = read.value
  const input = {
    ...{ title, message: message || null, actId, documentIds: document, signers, once },
    deadline: deadlineOf(deadline, timeZone),
  }
  const answer = await refusalOnPage(createSigningSession(system, actor, input))
  if (!answer.ok) {
    const field = FIELDS[answer.code] ?? 'form'
    return data(await shown({ [field]: [answer.sentence] }, typed), answer.init)
  }
  const { id } = answer.value
  return signers.length === 0
    ? away(`/dashboard/signing/${id}`, 'session-created')
    : away(`/dashboard/signing/${id}/review`, 'session-to-review')

  /** Of a search, or of its next page; undefined for a step that shows the same drafts. */
  function addressAfter({ kind }: ChoiceStep): string | undefined {
    if (kind !== 'search' && kind !== 'next') return undefined
    const behind = kind === 'next' ? (values.after ?? '').slice(0, MOST_LETTERS) : ''
    return choiceAddress({ ...typed.documents, behind })
  }

  async function afterStep(asked: ChoiceStep): Promise<Typed> {
    const { documents, rows } = typed
    const { chosen } = documents
    switch (asked.kind) {
      case 'search':
        return { documents: { ...documents, behind: '' }, rows }
      case 'next':
        return { documents: { ...documents, behind: values.after ?? '' }, rows }
      case 'add-page': {
        const { found } = await orErrorPage(choiceView(context, documents))
        const more = found.map(({ id }) => id)
        return { documents: { ...documents, chosen: [...chosen, ...more] }, rows }
      }
      case 'up':
      case 'down': {
        const next = moved(chosen, chosen.indexOf(asked.id), asked.kind)
        return { documents: { ...documents, chosen: next }, rows }
      }
      case 'act':
        return {
          documents,
          rows: act ? rowsForAct(rows, act, staff.notaries, MOST_SIGNERS) : rows,
        }
      case 'add-user':
      case 'add-external': {
        const kind = asked.kind === 'add-user' ? 'user' : 'external'
        return { documents, rows: rows.length < MOST_SIGNERS ? withRow(rows, { kind }) : rows }
      }
      case 'add-parties': {
        const adding = withParties(context, rows, all('known'), MOST_SIGNERS)
        return { documents, rows: await orErrorPage(adding) }
      }
      case 'signer-remove':
        return { documents, rows: rows.filter(({ key }) => key !== asked.id) }
      case 'signer-up':
      case 'signer-down': {
        const from = rows.findIndex(({ key }) => key === asked.id)
        return { documents, rows: moved(rows, from, asked.kind === 'signer-up' ? 'up' : 'down') }
      }
    }
  }
}

const isSameSearch = (address: string, { searchParams }: URL): boolean =>
  new URLSearchParams(address.split('?')[1]).toString() === searchParams.toString()

/** What the form had when a button was pressed. */
type Typed = { documents: Choice; rows: SignerRow[] }

const away = (to: string, message: 'session-created' | 'session-to-review') =>
  redirect(to, { status: 303, headers: { 'Set-Cookie': flash(message) } })

export default function NewSession({ loaderData, actionData }: Route.ComponentProps) {
  const { once, acts, colleagues, people, noDrafts, title } = loaderData
  const shown: Partial<Shown> = actionData ?? {}
  const { errors, values, choice = loaderData.choice, rows = loaderData.rows } = shown
  return (
    <>
      <PageHead
        title="Nueva sesión de firma"
        lead="Elija los documentos y a los firmantes. Nadie recibe aviso hasta que usted la revise y la abra."
      />
      <Sheet>
        <PostForm
          action={`/dashboard/signing/new?${choice.query}`}
          className={`${form.form} ${css.session}`}
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
          <div className={`${form.form} ${css.part}`}>
            <FormRefusal errors={errors?.form} />
            {noDrafts > 0 && !actionData && (
              <Notice tone="note" isLive={false}>
                {noDrafts === 1
                  ? 'Uno de los documentos que eligió no es borrador y no se agregó.'
                  : `${noDrafts} de los documentos que eligió no son borradores y no se agregaron.`}
              </Notice>
            )}
            <SessionFields values={values ?? { title }} errors={errors} />
            <SelectField
              name="act"
              label="Acto (opcional)"
              help="Dice quiénes deben firmar y si el acto puede firmarse electrónicamente en su entidad."
              data={acts}
              defaultValue={values?.act ?? ''}
              errors={errors?.act}
            />
            <div className={css.moves}>
              <SubmitButton variant="default" name="do" value="act">
                Proponer a los firmantes del acto
              </SubmitButton>
            </div>
            {shown.act && (
              <div className={css.act}>
                <ProtocolNotice leavesProtocol={shown.act.leavesProtocol} />
                <p className={css.quiet}>{shown.act.electronic}</p>
              </div>
            )}
            {/* A new choice has new boxes: those of the page before would keep their marks. */}
            <DocumentChoice
              key={keyOf(choice)}
              choice={choice}
              people={people}
              fault={errors?.document?.[0]}
            />
          </div>
          <div className={`${form.form} ${css.part}`}>
            <SignerChoice
              rows={rows}
              act={shown.act ?? null}
              colleagues={colleagues}
              offer={shown.offer ?? { text: '', found: [] }}
              errors={errors}
            />
            <SubmitButton>Crear sesión</SubmitButton>
          </div>
        </PostForm>
      </Sheet>
    </>
  )
}

const keyOf = ({ chosen, text, filters, behind }: ChoiceView) =>
  JSON.stringify([text, filters, behind, chosen.map(({ id }) => id)])
