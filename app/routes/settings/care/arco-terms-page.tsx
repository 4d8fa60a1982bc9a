import { data, redirect } from 'react-router'
import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { flash } from '#app/http/cookies/flash.ts'
import { type FormErrors, readForm, typedIn } from '#app/http/forms.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { orStepUpPage } from '#app/http/step-up.ts'
import { withSentence } from '#app/http/with-sentence.ts'
import css from '#app/routes/settings/office.module.css'
import own from '#app/routes/settings/privacy-notice-page.module.css'
import form from '#app/ui/forms/form.module.css'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { TextField } from '#app/ui/forms/text-field.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { Sheets } from '#app/ui/frame/sheets.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { Time } from '#app/ui/text/time.tsx'
import { ArcoTerms } from '#server/domain/care/arco-request.ts'
import { formatDay, formatInstant, parseInstant } from '#server/domain/time.ts'
import { changeArcoTerms, readArcoTerms } from '#server/features/arco/arco-terms.ts'
import { readOffice } from '#server/features/offices/read-office.ts'
import type { Route } from './+types/arco-terms-page'

const { answerDays, effectDays, source, sourceDay } = ArcoTerms.shape
const HOW_MANY = 'Escriba los días hábiles, del 1 al 60.'
const Fields = z.object({
  answerDays: withSentence(z.coerce.number().pipe(answerDays), HOW_MANY),
  effectDays: withSentence(z.coerce.number().pipe(effectDays), HOW_MANY),
  source: withSentence(source, 'Escriba la ley que lo dice, hasta 300 caracteres.'),
  sourceDay: withSentence(sourceDay, 'Escriba una fecha que exista, como 2025-03-20.'),
})

export const handle = { hydrate: true, label: 'Plazos ARCO' }

export const meta: Route.MetaFunction = () => [{ title: 'Plazos ARCO · Rúbrica' }]

export async function loader({ context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const { current, set } = await orErrorPage(readArcoTerms(system, actor))
  const { timeZone } = await orErrorPage(readOffice(system, actor))
  return {
    current: {
      answerDays: String(current.answerDays),
      effectDays: String(current.effectDays),
      source: current.source,
      sourceDay: current.sourceDay as string,
    },
    isFederal: set.length === 0,
    set: set.map(({ version, terms, at, author }) => ({
      ...{ version, author, when: { at, text: formatInstant(at, timeZone) } },
      text: `${terms.answerDays} y ${terms.effectDays} días hábiles · ${terms.source}, ${formatDay(parseInstant(terms.sourceDay), 'UTC')}`,
    })),
  }
}

type Answer = { errors?: FormErrors; values?: Record<string, string> }

export async function action({ request, url, context }: Route.ActionArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const read = await orErrorPage(readForm(request, context, Fields))
  if (!read.ok) return data<Answer>({ errors: read.errors, values: typedIn(context) }, 422)
  await orStepUpPage({ request, url, context }, changeArcoTerms(system, actor, read.value))
  return redirect('/dashboard/settings/arco', {
    status: 303,
    headers: { 'Set-Cookie': flash('arco-terms-changed') },
  })
}

export default function ArcoTermsPage({ loaderData, actionData }: Route.ComponentProps) {
  const { current, isFederal, set } = loaderData
  const { errors, values = current }: Answer = actionData ?? {}
  const field = (name: keyof typeof current) => ({
    name,
    defaultValue: values[name] ?? '',
    errors: errors?.[name],
  })
  return (
    <>
      <PageHead
        title="Plazos ARCO"
        lead={<PageLink to="/dashboard/settings">Volver a Configuración</PageLink>}
      />
      <Sheets>
        <Sheet>
          <p className={css.lead}>
            Valen para las solicitudes que se registren desde ahora; las anteriores conservan los
            suyos. Se cuentan sin sábados, domingos ni días de descanso obligatorio.
            {isFederal &&
              ' Estos son los de la ley federal que el sistema trae: compruébelos con la ley vigente.'}
          </p>
          <PostForm className={form.form} noValidate key={set.length}>
            <TextField
              {...field('answerDays')}
              label="Días para responder"
              help="Desde que llegó la solicitud."
              inputMode="numeric"
              required
            />
            <TextField
              {...field('effectDays')}
              label="Días para hacerla efectiva"
              help="Desde la respuesta."
              inputMode="numeric"
              required
            />
            <TextField {...field('source')} label="Fuente" required />
            <TextField {...field('sourceDay')} type="date" label="Fecha de la fuente" required />
            <SubmitButton>Guardar plazos</SubmitButton>
          </PostForm>
        </Sheet>
        {!isFederal && (
          <Sheet title="Cambios">
            <ol className={own.versions} reversed>
              {set.map(({ version, text, author, when }) => (
                <li key={version}>
                  <span>{text}</span>
                  <span>
                    {author} · <Time at={when.at}>{when.text}</Time>
                  </span>
                </li>
              ))}
            </ol>
          </Sheet>
        )}
      </Sheets>
    </>
  )
}
