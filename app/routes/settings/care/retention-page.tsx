import { data, redirect } from 'react-router'
import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { flash } from '#app/http/cookies/flash.ts'
import { type FormErrors, readForm, typedIn } from '#app/http/forms.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { orStepUpPage } from '#app/http/step-up.ts'
import { withSentence } from '#app/http/with-sentence.ts'
import css from '#app/routes/settings/office.module.css'
import form from '#app/ui/forms/form.module.css'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SelectField } from '#app/ui/forms/select-field.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { TextField } from '#app/ui/forms/text-field.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { Sheets } from '#app/ui/frame/sheets.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { Fact, FactList } from '#app/ui/text/fact-list.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { RetainedKind, RetentionTerm } from '#server/domain/care/retention.ts'
import { formatDay } from '#server/domain/time.ts'
import { readOffice } from '#server/features/offices/read-office.ts'
import {
  changeRetentionTerm,
  readRetentionTerms,
} from '#server/features/retention/retention-terms.ts'
import { documentKinds } from '#server/words/documents.ts'
import type { Route } from './+types/retention-page'

const { kind, blockDays, source } = RetentionTerm.shape
const Fields = z.object({
  kind: withSentence(kind, 'Elija el tipo de documento.'),
  years: withSentence(
    z
      .string()
      .transform((text) => (text.trim() === '' ? null : Number(text)))
      .pipe(RetentionTerm.shape.years),
    'Escriba los años, del 1 al 50, o deje el campo vacío para conservarlos siempre.',
  ),
  blockDays: withSentence(z.coerce.number().pipe(blockDays), 'Escriba los días, del 1 al 3,650.'),
  source: withSentence(source, 'Escriba la ley o el acuerdo, hasta 300 caracteres.'),
})

export const handle = { hydrate: true, label: 'Plazos de conservación' }

export const meta: Route.MetaFunction = () => [{ title: 'Plazos de conservación · Rúbrica' }]

export async function loader({ context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const terms = await orErrorPage(readRetentionTerms(system, actor))
  const { timeZone } = await orErrorPage(readOffice(system, actor))
  return {
    terms: RetainedKind.options.map((kind) => {
      const term = terms.get(kind)
      return {
        kind,
        name: documentKinds[kind],
        text: term?.years
          ? `${term.years === 1 ? 'Un año' : `${term.years} años`}, y ${term.blockDays} días de bloqueo · ${term.source}, desde el ${formatDay(term.at, timeZone)}`
          : 'Se conservan siempre',
      }
    }),
  }
}

type Answer = { errors?: FormErrors; values?: Record<string, string> }

export async function action({ request, url, context }: Route.ActionArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const read = await orErrorPage(readForm(request, context, Fields))
  if (!read.ok) return data<Answer>({ errors: read.errors, values: typedIn(context) }, 422)
  await orStepUpPage({ request, url, context }, changeRetentionTerm(system, actor, read.value))
  return redirect('/dashboard/settings/retention', {
    status: 303,
    headers: { 'Set-Cookie': flash('retention-terms-changed') },
  })
}

export default function RetentionTermsPage({ loaderData, actionData }: Route.ComponentProps) {
  const { terms } = loaderData
  const { errors, values = { blockDays: '90' } }: Answer = actionData ?? {}
  const field = (name: string) => ({
    name,
    defaultValue: values[name] ?? '',
    errors: errors?.[name],
  })
  return (
    <>
      <PageHead
        title="Plazos de conservación"
        lead={<PageLink to="/dashboard/settings">Volver a Configuración</PageLink>}
      />
      <Sheets>
        <Sheet title="Plazos">
          <FactList>
            {terms.map(({ kind, name, text }) => (
              <Fact key={kind} name={name}>
                {text}
              </Fact>
            ))}
          </FactList>
          <p className={css.lead}>
            Los demás tipos son instrumentos o se hacen de ellos: se conservan siempre. También todo
            documento que firmaron todos, y los que llevan número de instrumento.
          </p>
        </Sheet>
        <Sheet title="Cambiar un plazo">
          <PostForm className={form.form} noValidate key={JSON.stringify(terms)}>
            <SelectField
              {...field('kind')}
              label="Tipo"
              data={[
                { value: '', label: 'Elija' },
                ...terms.map(({ kind: value, name: label }) => ({ value, label })),
              ]}
              required
            />
            <TextField
              {...field('years')}
              label="Años"
              help="Desde que se rechazó o canceló. Vacío: se conservan siempre."
              inputMode="numeric"
            />
            <TextField
              {...field('blockDays')}
              label="Días de bloqueo"
              help="Los que pasan bloqueados antes de que puedan destruirse."
              inputMode="numeric"
              required
            />
            <TextField
              {...field('source')}
              label="Fuente"
              help="La ley, o el acuerdo de la notaría."
              required
            />
            <SubmitButton>Guardar plazo</SubmitButton>
          </PostForm>
        </Sheet>
      </Sheets>
    </>
  )
}
