import { data, redirect } from 'react-router'
import { z } from 'zod'
import { flash } from '#app/http/cookies/flash.ts'
import { type FormErrors, readForm, typedIn } from '#app/http/forms.ts'
import { orErrorPage, refusalOnPage } from '#app/http/problems.ts'
import { withSentence } from '#app/http/with-sentence.ts'
import form from '#app/ui/forms/form.module.css'
import { FormRefusal } from '#app/ui/forms/form-refusal.tsx'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SelectField } from '#app/ui/forms/select-field.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { TextField } from '#app/ui/forms/text-field.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { Fact, FactList } from '#app/ui/text/fact-list.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { digestOfDescription } from '#server/domain/documents/description.ts'
import type { Document } from '#server/domain/documents/document.ts'
import { instrumentFacts, volumeNameOf } from '#server/domain/documents/instrument.ts'
import { volumeWordOf } from '#server/domain/identity/entity-vocabulary.ts'
import { EditDraft, editDraft, readEditable } from '#server/features/documents/edit-draft.ts'
import { readOffice } from '#server/features/offices/read-office.ts'
import { documentKinds } from '#server/words/documents.ts'
import type { Route } from './+types/edit-page'
import { documentRequest } from './document-request.ts'
import css from './edit-page.module.css'
import { InstrumentFields } from './instrument-fields.tsx'
import {
  instrumentFields,
  instrumentIn,
  instrumentValues,
  isAboutNumber,
} from './instrument-form.ts'
import { titleField } from './upload-form.ts'

const Fields = z
  .object({
    seen: EditDraft.shape.seen,
    title: titleField(EditDraft.shape.title),
    kind: withSentence(EditDraft.shape.kind, 'Elija el tipo de documento.'),
    ...instrumentFields,
  })
  .transform(({ seen, title, kind, ...typed }, context) => ({
    ...{ seen, title, kind },
    instrument: instrumentIn(typed, context),
  }))

export const handle = { hydrate: true, label: 'Editar documento' }

export const meta: Route.MetaFunction = () => [{ title: 'Editar documento · Rúbrica' }]

export async function loader({ params, context }: Route.LoaderArgs) {
  const { system, actor, documentId } = await orErrorPage(documentRequest(params, context))
  const { entity } = await orErrorPage(readOffice(system, actor))
  const document = await orErrorPage(readEditable(system, actor, { documentId }))
  return {
    address: `/dashboard/documents/${documentId}`,
    title: document.title,
    volumeName: volumeNameOf(volumeWordOf(entity)),
    values: valuesOf(document),
  }
}

const valuesOf = (document: Document): Record<string, string> => ({
  ...{ title: document.title, kind: document.kind, seen: digestOfDescription(document) },
  ...instrumentValues(document.instrument),
})

type Answer = {
  errors?: FormErrors
  values?: Record<string, string>
  /** What another user saved meanwhile. */
  saved?: { name: string; value: string }[]
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const { system, actor, documentId } = await orErrorPage(documentRequest(params, context))
  const read = await orErrorPage(readForm(request, context, Fields))
  if (!read.ok) return data<Answer>({ errors: read.errors, values: read.values }, 422)
  const answer = await refusalOnPage(editDraft(system, actor, { documentId, ...read.value }))
  if (answer.ok)
    return redirect(`/dashboard/documents/${documentId}`, {
      status: 303,
      headers: {
        'Set-Cookie': flash(answer.value.isOutside ? 'document-edited-outside' : 'document-edited'),
      },
    })
  const typed = typedIn(context)
  if (answer.code !== 'description-changed') {
    const errors = { [isAboutNumber(answer) ? 'number' : 'form']: [answer.sentence] }
    return data<Answer>({ errors, values: typed }, answer.init)
  }
  const { entity } = await orErrorPage(readOffice(system, actor))
  const current = await orErrorPage(readEditable(system, actor, { documentId }))
  // Saved again, what was typed replaces the description that the page shows now.
  const values = { ...typed, seen: digestOfDescription(current) }
  const errors = { form: [`${answer.sentence} ${WHAT_NOW}`] }
  return data<Answer>({ errors, values, saved: savedFacts(current, entity) }, answer.init)
}

const WHAT_NOW =
  'Lo que usted escribió sigue en el formulario; lo guardado está aquí. Compárelos: si guarda de nuevo, queda lo que usted escribió.'

const savedFacts = ({ title, kind, instrument }: Document, entity: string) => [
  { name: 'Título', value: title },
  { name: 'Tipo', value: documentKinds[kind] },
  ...(instrument ? instrumentFacts(instrument, volumeWordOf(entity)) : []),
]

export default function EditPage({ loaderData, actionData }: Route.ComponentProps) {
  const { address, title, volumeName } = loaderData
  const { errors, saved, values = loaderData.values }: Answer = actionData ?? {}
  return (
    <>
      <PageHead
        title="Editar documento"
        lead={<PageLink to={address}>Volver a {title}</PageLink>}
      />
      <Sheet>
        <PostForm className={`${form.form} ${form.long}`} noValidate>
          <FormRefusal errors={errors?.form} />
          {saved && <Saved facts={saved} />}
          <p>
            Se imprimen en la hoja de firmas y en la hoja de evidencia, y sirven para buscar el
            documento. Después de enviarlo a firma ya no se cambian.
          </p>
          <input type="hidden" name="seen" value={values.seen ?? ''} />
          <TextField
            name="title"
            label="Título"
            help="Como lo buscará después: acto, partes o número de instrumento."
            required
            defaultValue={values.title ?? ''}
            errors={errors?.title}
          />
          <SelectField
            name="kind"
            label="Tipo de documento"
            data={KINDS}
            defaultValue={values.kind ?? 'other'}
            errors={errors?.kind}
          />
          <fieldset id="instrumento" className={css.instrument}>
            <legend>Datos del instrumento</legend>
            <p>
              Si los deja todos vacíos, el documento no lleva datos de instrumento.
              {!loaderData.values.number && (
                <>
                  {' '}
                  Si todavía no tiene número,{' '}
                  <PageLink to={`${address}/number`}>tome el siguiente</PageLink> antes que nada.
                </>
              )}
            </p>
            <InstrumentFields volumeName={volumeName} values={values} errors={errors} />
          </fieldset>
          <SubmitButton>Guardar</SubmitButton>
        </PostForm>
      </Sheet>
    </>
  )
}

const KINDS = Object.entries(documentKinds).map(([value, label]) => ({ value, label }))

const Saved = ({ facts }: { facts: NonNullable<Answer['saved']> }) => (
  <section className={css.saved} aria-label="Lo guardado">
    <h2>Lo guardado</h2>
    <FactList>
      {facts.map(({ name, value }) => (
        <Fact key={name} name={name}>
          {value}
        </Fact>
      ))}
    </FactList>
  </section>
)
