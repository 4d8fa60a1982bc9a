import { data, redirect } from 'react-router'
import { z } from 'zod'
import { flash } from '#app/http/cookies/flash.ts'
import { flashWithUndo } from '#app/http/cookies/undo-offer.ts'
import { type FormErrors, readForm } from '#app/http/forms.ts'
import { orErrorPage, refusalOnPage } from '#app/http/problems.ts'
import { withSentence } from '#app/http/with-sentence.ts'
import { documentRequest } from '#app/routes/documents/document-request.ts'
import form from '#app/ui/forms/form.module.css'
import { FormRefusal } from '#app/ui/forms/form-refusal.tsx'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SelectField } from '#app/ui/forms/select-field.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { Sheets } from '#app/ui/frame/sheets.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import type { Document } from '#server/domain/documents/document.ts'
import { searchable } from '#server/domain/identity/text.ts'
import { ActId } from '#server/domain/ids.ts'
import { isAllowed, mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { CheckNote } from '#server/domain/signing/act/checklist.ts'
import {
  addDocumentList,
  removeDocumentList,
} from '#server/features/checklists/change-document-list.ts'
import { type ActWithList, listChecklists } from '#server/features/checklists/read-checklist.ts'
import { readDocumentChecks } from '#server/features/checklists/read-document-checks.ts'
import { setCheckState } from '#server/features/checklists/set-check-state.ts'
import { readOffice } from '#server/features/offices/read-office.ts'
import { SUGGESTED_LIST } from '#server/words/checklists.ts'
import type { Route } from './+types/checklist'
import css from './checklist.module.css'
import { listView } from './checklist-view.ts'
import { ListSheet } from './list-sheet.tsx'

const act = withSentence(ActId, 'Elija el acto.')
const position = z
  .string()
  .regex(/^\d{1,2}$/)
  .transform(Number)

const Fields = z.discriminatedUnion('intent', [
  z.object({ intent: z.literal('add'), act }),
  z.object({ intent: z.literal('remove'), act }),
  z.object({ intent: z.literal('uncheck'), act, position }),
  z.object({
    ...{ intent: z.literal('check'), act, position },
    note: withSentence(
      z.union([z.string().trim().length(0), CheckNote]),
      'Escriba la nota con hasta 200 caracteres.',
    ).default(''),
  }),
])

export const handle = { hydrate: true, label: 'Lista de revisión' }

export const meta: Route.MetaFunction = () => [{ title: 'Lista de revisión · Rúbrica' }]

export async function loader({ params, context }: Route.LoaderArgs) {
  const { system, actor, documentId } = await orErrorPage(documentRequest(params, context))
  const { document, lists } = await orErrorPage(readDocumentChecks(system, actor, { documentId }))
  const { timeZone } = await orErrorPage(readOffice(system, actor))
  const canCheck = isAllowed(mustBeSignedIn(actor).roles, 'document.check')
  const known = new Set(lists.map(({ actId }) => actId))
  const acts = canCheck ? await orErrorPage(listChecklists(system, actor)) : []
  const offered = acts.filter(({ act, checklist }) => isOffered(checklist) && !known.has(act.id))
  return {
    address: `/dashboard/documents/${documentId}`,
    title: document.title,
    lists: lists.map((list) => listView(list, timeZone)),
    canCheck,
    canManage: isAllowed(mustBeSignedIn(actor).roles, 'checklists.manage'),
    acts: offered.map(({ act, checklist }) => ({
      value: act.id as string,
      label: `${act.name} (${checklist.items.length})`,
    })),
    chosen: likelyAct(document, offered),
    isSuggested: offered.some(({ checklist }) => checklist.at === null),
  }
}

const isOffered = ({ items }: ActWithList['checklist']) => items.length > 0

/** The act that the document names: in the data of its instrument, or in its title. */
function likelyAct({ instrument, title }: Document, acts: readonly ActWithList[]): string {
  const text = searchable(instrument?.acts ?? title)
  const named = acts.filter(({ act }) => text.includes(searchable(act.name)))
  const longest = named.toSorted((one, other) => other.act.name.length - one.act.name.length)[0]
  return longest?.act.id ?? acts[0]?.act.id ?? ''
}

type Answer = { errors?: FormErrors }

export async function action({ request, params, context }: Route.ActionArgs) {
  const { system, actor, documentId } = await orErrorPage(documentRequest(params, context))
  const read = await orErrorPage(readForm(request, context, Fields))
  if (!read.ok) {
    const [sentence = 'Recargue la página e inténtelo de nuevo.'] =
      read.errors.note ?? read.errors.act ?? []
    return data<Answer>({ errors: { form: [sentence] } }, 422)
  }
  const answer = await refusalOnPage(change(read.value))
  if (!answer.ok) return data<Answer>({ errors: { form: [answer.sentence] } }, answer.init)
  return redirect(`/dashboard/documents/${documentId}/checklist`, {
    status: 303,
    headers: { 'Set-Cookie': answer.value },
  })

  /** Returns the cookie with the message. */
  async function change(form: z.output<typeof Fields>): Promise<string> {
    const list = { documentId, actId: form.act }
    switch (form.intent) {
      case 'add':
        await addDocumentList(system, actor, list)
        return flash('checklist-added')
      case 'remove': {
        const removed = await removeDocumentList(system, actor, list)
        const undo = removed && { kind: 'checklist' as const, ...removed }
        return flashWithUndo(context, 'checklist-removed', undo)
      }
      case 'check': {
        const { position, note } = form
        const done = { ...list, position, state: 'done', note: note || null } as const
        await setCheckState(system, actor, done)
        return flash('item-checked')
      }
      case 'uncheck': {
        const { position } = form
        await setCheckState(system, actor, { ...list, position, state: 'open', note: null })
        return flash('item-unchecked')
      }
    }
  }
}

export default function DocumentChecklist({ loaderData, actionData }: Route.ComponentProps) {
  const { address, title, lists, canCheck, canManage, acts, chosen, isSuggested } = loaderData
  const { errors }: Answer = actionData ?? {}
  return (
    <>
      <PageHead
        title="Lista de revisión"
        lead={<PageLink to={address}>Volver a {title}</PageLink>}
      />
      <FormRefusal errors={errors?.form} />
      <Sheets>
        {lists.map((list) => (
          <ListSheet key={list.id} list={list} canCheck={canCheck} />
        ))}
        {lists.length === 0 && !canCheck && <p>Este documento no tiene lista de revisión.</p>}
        {canCheck && acts.length > 0 && (
          <Sheet title={lists.length === 0 ? 'Poner la lista de un acto' : 'Agregar otra lista'}>
            <PostForm className={form.form}>
              <input type="hidden" name="intent" value="add" />
              <p className={css.soft}>
                El documento conserva la lista como es hoy, aunque después se cambie en
                Configuración.{isSuggested && ` ${SUGGESTED_LIST}.`}
              </p>
              <SelectField key={chosen} name="act" label="Acto" data={acts} defaultValue={chosen} />
              <SubmitButton>Agregar lista</SubmitButton>
              {canManage && (
                <PageLink to="/dashboard/settings/checklists">
                  Cambiar las listas de la notaría
                </PageLink>
              )}
            </PostForm>
          </Sheet>
        )}
      </Sheets>
    </>
  )
}
