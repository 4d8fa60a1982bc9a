import { data, redirect } from 'react-router'
import { flash } from '#app/http/cookies/flash.ts'
import { type FormErrors, readForm, typedIn } from '#app/http/forms.ts'
import { newOnce } from '#app/http/once.ts'
import { orErrorPage, refusalOnPage } from '#app/http/problems.ts'
import { documentRequest } from '#app/routes/documents/document-request.ts'
import form from '#app/ui/forms/form.module.css'
import { FormRefusal } from '#app/ui/forms/form-refusal.tsx'
import { OnceField } from '#app/ui/forms/once-field.tsx'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SelectField } from '#app/ui/forms/select-field.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { TextAreaField } from '#app/ui/forms/text-area-field.tsx'
import { TextField } from '#app/ui/forms/text-field.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import type { CopyKind } from '#server/domain/documents/copies/issued-copy.ts'
import {
  type CopyForecast,
  readCopyForecast,
  recordCopy,
} from '#server/features/copies/record-copy.ts'
import { copyMedia, copyName } from '#server/words/copies.ts'
import type { Route } from './+types/new-copy'
import { CopyForm, numberedKind } from './copy-form.ts'

export const handle = { hydrate: true, label: 'Registrar copia expedida' }

export const meta: Route.MetaFunction = () => [{ title: 'Registrar copia expedida · Rúbrica' }]

export async function loader({ params, context }: Route.LoaderArgs) {
  const { system, actor, documentId } = await orErrorPage(documentRequest(params, context))
  const forecast = await orErrorPage(readCopyForecast(system, actor, { documentId }))
  return {
    address: `/dashboard/documents/${documentId}`,
    title: forecast.document.title,
    folio: forecast.document.folio,
    today: forecast.today,
    kinds: kindsOf(forecast),
    once: newOnce(),
  }
}

/** The choices of the first field: each kind with its next ordinal in words. */
const kindsOf = ({ next }: CopyForecast) =>
  Object.entries(next).map(([kind, ordinal]) => ({
    value: numberedKind(kind as CopyKind, ordinal),
    label: copyName(kind as CopyKind, ordinal),
  }))

type Answer = {
  errors?: FormErrors
  values?: Record<string, string>
  /** After the ordinals changed. */
  kinds?: ReturnType<typeof kindsOf>
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const { system, actor, documentId } = await orErrorPage(documentRequest(params, context))
  const read = await orErrorPage(readForm(request, context, CopyForm))
  const values = typedIn(context)
  if (!read.ok) return data<Answer>({ errors: read.errors, values }, 422)
  const answer = await refusalOnPage(recordCopy(system, actor, { documentId, ...read.value }))
  if (answer.ok)
    return redirect(`/dashboard/documents/${documentId}/copies`, {
      status: 303,
      headers: { 'Set-Cookie': flash('copy-recorded') },
    })
  const { code, sentence, init } = answer
  if (code !== 'copy-ordinal-taken')
    return data<Answer>({ errors: { [fieldOf(code)]: [sentence] }, values }, init)
  const kinds = kindsOf(await orErrorPage(readCopyForecast(system, actor, { documentId })))
  const same = kinds.find(({ value }) => value.startsWith(`${read.value.kind}.`))
  const renumbered = { ...values, copy: same?.value ?? '' }
  return data<Answer>({ errors: { copy: [sentence] }, values: renumbered, kinds }, init)
}

const fieldOf = (code: string) => (code === 'copy-day-ahead' ? 'issuedOn' : 'form')

const MEDIA = Object.entries(copyMedia).map(([value, label]) => ({ value, label }))

export default function NewCopy({ loaderData, actionData }: Route.ComponentProps) {
  const { address, title, folio, today, once } = loaderData
  const {
    errors,
    values = { issuedOn: today },
    kinds = loaderData.kinds,
  }: Answer = actionData ?? {}
  const field = (name: string) => ({
    name,
    defaultValue: values[name] ?? '',
    errors: errors?.[name],
  })
  return (
    <>
      <PageHead
        title="Registrar copia expedida"
        lead={
          <>
            Folio {folio} · <PageLink to={address}>Volver a {title}</PageLink>
          </>
        }
      />
      <Sheet>
        {/* New choices: the field shows the current ordinal of the kind that was chosen. */}
        <PostForm
          key={kinds.map(({ value }) => value).join(' ')}
          className={`${form.form} ${form.long}`}
          noValidate
        >
          <OnceField once={once} />
          <FormRefusal errors={errors?.form} />
          <SelectField
            {...field('copy')}
            label="Qué se expidió"
            help="Cada tipo lleva su propia numeración en este documento."
            data={kinds}
            required
          />
          <TextField
            {...field('part')}
            label="Parte que reproduce"
            help="Vacío si es total. Si es parcial, qué comprende: “páginas 3 a 8”, “cláusula quinta”."
            autoComplete="off"
            maxLength={200}
          />
          <TextField
            {...field('name')}
            label="Para quién se expidió"
            help="Persona o autoridad que la recibe."
            autoComplete="off"
            maxLength={150}
            required
          />
          <TextField
            {...field('rfc')}
            label="RFC (opcional)"
            autoComplete="off"
            spellCheck={false}
            maxLength={13}
          />
          <TextField
            {...field('character')}
            label="En qué carácter (opcional)"
            placeholder="Compradora"
            autoComplete="off"
            maxLength={80}
          />
          <SelectField {...field('medium')} label="Soporte" data={MEDIA} required />
          <TextField
            {...field('sheets')}
            label="Hojas"
            help="Solo de una copia en papel."
            inputMode="numeric"
            autoComplete="off"
            maxLength={6}
          />
          <TextField {...field('issuedOn')} label="Fecha de expedición" type="date" required />
          <TextAreaField
            {...field('note')}
            label="Nota (opcional)"
            help="Para qué se expidió, número de holograma, quién la recogió."
            maxLength={500}
          />
          <SubmitButton>Registrar copia</SubmitButton>
        </PostForm>
      </Sheet>
    </>
  )
}
