import { data, redirectDocument } from 'react-router'
import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { flash } from '#app/http/cookies/flash.ts'
import { type FormErrors, readUpload } from '#app/http/forms.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { refusalOrStepUp, requireRecentProof } from '#app/http/step-up.ts'
import { capacityOf } from '#app/routes/users/person-view.ts'
import { FileField } from '#app/ui/forms/file-field.tsx'
import form from '#app/ui/forms/form.module.css'
import { FormRefusal } from '#app/ui/forms/form-refusal.tsx'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { Sheets } from '#app/ui/frame/sheets.tsx'
import { EmptyState } from '#app/ui/lists/empty-state.tsx'
import { Item, ItemList } from '#app/ui/lists/item-list.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { Fact, FactList } from '#app/ui/text/fact-list.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { FileName } from '#server/domain/documents/file-name.ts'
import { fullName } from '#server/domain/identity/person-name.ts'
import { UserId } from '#server/domain/ids.ts'
import { isAllowed, mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import { formatInstant } from '#server/domain/time.ts'
import { addCapacityDocument, readCapacity } from '#server/features/users/capacity-documents.ts'
import type { Route } from './+types/capacity'

export const handle = { hydrate: true, label: 'Calidad' }

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `Calidad de ${loaderData?.name ?? 'la persona'} · Rúbrica` },
]

/** Steps up before the form: a form with a file cannot be kept. */
export async function loader({ params, url, context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const userId = await orErrorPage(idOf(params.id))
  const { user, timeZone, documents } = await orErrorPage(readCapacity(system, actor, { userId }))
  const canAdd = user.capacity !== null && isAllowed(mustBeSignedIn(actor).roles, 'users.manage')
  if (canAdd) requireRecentProof({ context, url })
  return {
    id: userId,
    name: fullName(user),
    capacity: user.capacity && capacityOf(user, timeZone),
    canAdd,
    documents: documents.map((document) => ({
      id: document.id,
      name: document.fileName,
      capacity: capacityOf(document, timeZone),
      added: formatInstant(document.addedAt, timeZone),
    })),
  }
}

type Answer = { errors?: FormErrors }

export async function action({ request, params, url, context }: Route.ActionArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const userId = await orErrorPage(idOf(params.id))
  const added = readUpload(request, context, z.object({}), async (_, file) => {
    const fileName = FileName.parse(file.name)
    await addCapacityDocument(system, actor, { userId, fileName, content: file.chunks })
  })
  const answer = await refusalOrStepUp({ request, url, context }, added)
  if (!answer.ok && [403, 404].includes(answer.init.status)) await orErrorPage(added)
  if (!answer.ok) {
    const field = answer.init.status === 413 || answer.init.status === 422 ? 'file' : 'form'
    return data<Answer>({ errors: { [field]: [answer.sentence] } }, answer.init)
  }
  if (!answer.value.ok) return data<Answer>({ errors: answer.value.errors }, 422)
  return redirectDocument(`/dashboard/users/${userId}/capacity`, {
    status: 303,
    headers: { 'Set-Cookie': flash('capacity-document-added') },
  })
}

async function idOf(text: string | undefined): Promise<UserId> {
  const id = UserId.safeParse(text)
  if (!id.success) throw new Problem('not-found', 'no id of a user')
  return id.data
}

export default function CapacityPage({ loaderData, actionData }: Route.ComponentProps) {
  const { id, name, capacity, canAdd, documents } = loaderData
  const { errors }: Answer = actionData ?? {}
  return (
    <>
      <PageHead
        title={`Calidad de ${name}`}
        lead={<PageLink to={`/dashboard/users/${id}`}>Volver a {name}</PageLink>}
      />
      <Sheets>
        <Sheet title="Documentos que la acreditan">
          <FactList>
            <Fact name="Calidad">{capacity ?? 'No tiene'}</Fact>
          </FactList>
          {documents.length === 0 ? (
            <EmptyState>No hay documentos todavía.</EmptyState>
          ) : (
            <ItemList>
              {documents.map((document) => (
                <Item
                  key={document.id}
                  icon="document"
                  name={
                    <a href={`/dashboard/users/${id}/capacity/${document.id}`}>{document.name}</a>
                  }
                >
                  <p>{document.capacity}</p>
                  <p>Agregado el {document.added}</p>
                </Item>
              ))}
            </ItemList>
          )}
        </Sheet>
        {canAdd && (
          <Sheet title="Agregar documento">
            <PostForm encType="multipart/form-data" className={form.form} noValidate>
              <FormRefusal errors={errors?.form} />
              <FileField
                name="file"
                label="Archivo PDF"
                help="El nombramiento, la licencia o el convenio de suplencia; hasta 25 MB. Se conserva con la calidad como está hoy y no se puede borrar."
                accept="application/pdf,.pdf"
                required
                errors={errors?.file}
              />
              <SubmitButton>Agregar documento</SubmitButton>
            </PostForm>
          </Sheet>
        )}
      </Sheets>
    </>
  )
}
