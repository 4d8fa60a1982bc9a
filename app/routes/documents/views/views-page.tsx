import { data, redirect } from 'react-router'
import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { flash } from '#app/http/cookies/flash.ts'
import { flashWithUndo } from '#app/http/cookies/undo-offer.ts'
import { type FormErrors, readForm } from '#app/http/forms.ts'
import { orErrorPage, refusalOnPage } from '#app/http/problems.ts'
import { peopleChoices } from '#app/http/shown-person.ts'
import { withSentence } from '#app/http/with-sentence.ts'
import { askedIn } from '#app/routes/documents/filters/asked-in.ts'
import { listAddress, VIEWS } from '#app/routes/documents/filters/list-address.ts'
import { Notice } from '#app/ui/feedback/notice.tsx'
import form from '#app/ui/forms/form.module.css'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { TextField } from '#app/ui/forms/text-field.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { Sheets } from '#app/ui/frame/sheets.tsx'
import { EmptyState } from '#app/ui/lists/empty-state.tsx'
import { Item, ItemList } from '#app/ui/lists/item-list.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import {
  listDocumentViews,
  RemoveDocumentView,
  removeDocumentView,
  SaveDocumentView,
  saveDocumentView,
} from '#server/features/documents/list/document-views.ts'
import { listUploaders } from '#server/features/documents/list/list-uploaders.ts'
import { readOffice } from '#server/features/offices/read-office.ts'
import type { Route } from './+types/views-page'
import { viewText } from './view-text.ts'

export const handle = { hydrate: true, label: 'Vistas guardadas' }

export const meta: Route.MetaFunction = () => [{ title: 'Vistas guardadas · Rúbrica' }]

export async function loader({ url, context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const { userId } = mustBeSignedIn(actor)
  const views = await orErrorPage(listDocumentViews(system, actor))
  const office = await orErrorPage(readOffice(system, actor))
  const users = await orErrorPage(listUploaders(system, actor))
  const uploaders = peopleChoices(users)
  const textOf = (query: URLSearchParams) => viewText(askedIn(query), office, uploaders, userId)
  return {
    /** What the list showed that is to be kept. */
    shown: { text: textOf(url.searchParams), to: listAddress(askedIn(url.searchParams)) },
    views: views.map(({ id, name, query }) => {
      const asked = new URLSearchParams(query)
      return { id, name, text: textOf(asked), to: listAddress(askedIn(asked)) }
    }),
  }
}

const Change = z.discriminatedUnion('change', [
  z.object({
    change: z.literal('save'),
    name: withSentence(SaveDocumentView.shape.name, 'Escriba un nombre de hasta 60 caracteres.'),
  }),
  RemoveDocumentView.extend({ change: z.literal('remove') }),
])

type Answer = { sentence?: string; errors?: FormErrors; name: string }

export async function action({ request, url, context }: Route.ActionArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const read = await orErrorPage(readForm(request, context, Change))
  if (!read.ok) return data<Answer>({ errors: read.errors, name: read.values.name ?? '' }, 422)
  const change = read.value
  if (change.change === 'remove') {
    const removed = await orErrorPage(removeDocumentView(system, actor, change))
    const undo = removed && { kind: 'view' as const, ...removed }
    return redirectTo(`${VIEWS}${url.search}`, flashWithUndo(context, 'view-removed', undo))
  }
  const to = listAddress(askedIn(url.searchParams))
  const [, query = ''] = to.split('?')
  const { name } = change
  const answer = await refusalOnPage(saveDocumentView(system, actor, { name, query }))
  if (answer.ok) return redirectTo(to, flash('view-saved'))
  const { code, sentence, init } = answer
  const refusal = code === 'view-name-taken' ? { errors: { name: [sentence] } } : { sentence }
  return data<Answer>({ ...refusal, name }, init)
}

const redirectTo = (to: string, cookie: string) =>
  redirect(to, { status: 303, headers: { 'Set-Cookie': cookie } })

export default function DocumentViews({ loaderData, actionData }: Route.ComponentProps) {
  const { shown, views } = loaderData
  const answer: Answer | undefined = actionData
  return (
    <>
      <PageHead
        title="Vistas guardadas"
        lead={<PageLink to={shown.to}>Volver a Documentos</PageLink>}
      />
      <Sheets>
        <Sheet title="Guardar la lista que estaba viendo">
          {answer?.sentence && <Notice tone="bad">{answer.sentence}</Notice>}
          <PostForm className={form.form} noValidate>
            <p>{shown.text}</p>
            <input type="hidden" name="change" value="save" />
            <TextField
              name="name"
              label="Nombre de la vista"
              help="Solo usted la verá, arriba de la lista de documentos."
              required
              maxLength={60}
              autoComplete="off"
              defaultValue={answer?.name ?? ''}
              errors={answer?.errors?.name}
            />
            <SubmitButton>Guardar vista</SubmitButton>
          </PostForm>
        </Sheet>
        <Sheet title="Sus vistas">
          {views.length === 0 && <EmptyState>Todavía no guarda ninguna vista.</EmptyState>}
          <ItemList>
            {views.map(({ id, name, text, to }) => (
              <Item
                key={id}
                icon="document"
                name={<PageLink to={to}>{name}</PageLink>}
                action={<Remove id={id} name={name} />}
              >
                <p>{text}</p>
              </Item>
            ))}
          </ItemList>
        </Sheet>
      </Sheets>
    </>
  )
}

const Remove = ({ id, name }: { id: string; name: string }) => (
  <PostForm>
    <input type="hidden" name="change" value="remove" />
    <input type="hidden" name="viewId" value={id} />
    <SubmitButton variant="default" aria-label={`Eliminar la vista ${name}`}>
      Eliminar
    </SubmitButton>
  </PostForm>
)
