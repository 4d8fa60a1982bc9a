import { data, redirect } from 'react-router'
import { actorContext, systemContext } from '#app/http/context.ts'
import { flash } from '#app/http/cookies/flash.ts'
import { type FormErrors, readForm, typedIn } from '#app/http/forms.ts'
import { orErrorPage, refusalOnPage } from '#app/http/problems.ts'
import { Notice } from '#app/ui/feedback/notice.tsx'
import { FormRefusal } from '#app/ui/forms/form-refusal.tsx'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SelectField } from '#app/ui/forms/select-field.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { TextField } from '#app/ui/forms/text-field.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { ActId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import { MOST_ITEMS } from '#server/domain/signing/act/checklist.ts'
import { changeChecklist } from '#server/features/checklists/change-checklist.ts'
import { type ActWithList, readChecklist } from '#server/features/checklists/read-checklist.ts'
import { checkNeeds, SUGGESTED_LIST, shortCheckPhases } from '#server/words/checklists.ts'
import type { Route } from './+types/act-list'
import css from './checklist.module.css'
import { ChecklistForm, fieldsOfItems } from './checklist-form.ts'
import { rowsOfItems } from './item-rows.ts'

const PATH = '/dashboard/settings/checklists'
const STALE =
  'La lista cambió mientras usted la editaba. Aquí está la actual: si hace falta, haga su cambio de nuevo.'

/** Empty rows at the end of the form. */
const MORE_ROWS = 4

export const handle = { hydrate: true, label: 'Lista de revisión' }

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `${loaderData?.name ?? 'Lista de revisión'} · Rúbrica` },
]

export async function loader({ params, context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const actId = await orErrorPage(idOf(params.act))
  return viewOf(await orErrorPage(readChecklist(system, actor, { actId })))
}

const viewOf = ({ act, checklist: { items, at } }: ActWithList) => ({
  ...{ name: act.name, at: String(at ?? ''), values: fieldsOfItems(items) },
  isSuggested: at === null && items.length > 0,
  rows: Math.min(MOST_ITEMS, items.length + MORE_ROWS),
  most: MOST_ITEMS,
})

type Answer = {
  errors?: FormErrors
  values?: Record<string, string>
  /** What another user saved meanwhile. */
  current?: ReturnType<typeof viewOf>
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const actId = await orErrorPage(idOf(params.act))
  const read = await orErrorPage(
    readForm(request, context, ChecklistForm, { maxFields: 3 * MOST_ITEMS + 10 }),
  )
  const values = typedIn(context)
  if (!read.ok) return data<Answer>({ errors: read.errors, values }, 422)
  const { at: seenAt, items } = read.value
  const answer = await refusalOnPage(changeChecklist(system, actor, { actId, items, seenAt }))
  if (answer.ok)
    return redirect(PATH, { status: 303, headers: { 'Set-Cookie': flash('checklist-changed') } })
  if (answer.code !== 'stale-version')
    return data<Answer>({ errors: { form: [answer.sentence] }, values }, answer.init)
  const current = viewOf(await orErrorPage(readChecklist(system, actor, { actId })))
  return data<Answer>({ errors: { form: [STALE] }, current }, answer.init)
}

async function idOf(text: string | undefined): Promise<ActId> {
  const id = ActId.safeParse(text)
  if (!id.success) throw new Problem('not-found', 'no id of an act')
  return id.data
}

const PHASES = Object.entries(shortCheckPhases).map(([value, label]) => ({ value, label }))
const NEEDS = Object.entries(checkNeeds).map(([value, label]) => ({ value, label }))

export default function ActList({ loaderData, actionData }: Route.ComponentProps) {
  const { errors, current = loaderData, values = current.values }: Answer = actionData ?? {}
  const filled = rowsOfItems(current.most).findLast(({ text }) => values[text])?.number ?? 0
  const rows = rowsOfItems(Math.max(current.rows, filled))
  return (
    <>
      <PageHead
        title={`Lista de ${current.name}`}
        lead={<PageLink to={PATH}>Volver a las listas de revisión</PageLink>}
      />
      <Sheet>
        {/* A new key: the fields show the current list instead of what was typed. */}
        <PostForm key={current.at} className={css.form} noValidate>
          <FormRefusal errors={errors?.form} />
          {current.isSuggested && (
            <Notice tone="wait" isLive={false}>
              {`${SUGGESTED_LIST}. No dice qué exige la ley: al guardarla queda como la de su notaría.`}
            </Notice>
          )}
          <p className={css.lead}>
            Un punto por renglón; deje en blanco los que sobren. Los documentos que ya tienen esta
            lista la conservan como era. Hasta {current.most} puntos: al guardar aparecen más
            renglones.
          </p>
          <input type="hidden" name="at" value={current.at} />
          {rows.map((row) => (
            <div key={row.number} className={css.row}>
              <TextField
                name={row.text}
                label={`Punto ${row.number}`}
                maxLength={160}
                autoComplete="off"
                defaultValue={values[row.text] ?? ''}
                errors={errors?.[row.text]}
              />
              <SelectField
                name={row.phase}
                label="Cuándo"
                data={PHASES}
                defaultValue={values[row.phase] ?? 'before'}
              />
              <SelectField
                name={row.need}
                label="Se revisa"
                data={NEEDS}
                defaultValue={values[row.need] ?? 'required'}
              />
            </div>
          ))}
          <SubmitButton>Guardar</SubmitButton>
        </PostForm>
      </Sheet>
    </>
  )
}
