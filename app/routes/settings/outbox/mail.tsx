import { data, redirect } from 'react-router'
import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { flash } from '#app/http/cookies/flash.ts'
import { type FormErrors, readForm } from '#app/http/forms.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { refusalOrStepUp } from '#app/http/step-up.ts'
import office from '#app/routes/settings/office.module.css'
import { Badge } from '#app/ui/feedback/badge.tsx'
import { FormRefusal } from '#app/ui/forms/form-refusal.tsx'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { Sheets } from '#app/ui/frame/sheets.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { Fact, FactList } from '#app/ui/text/fact-list.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { MailId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import { discardMail } from '#server/features/mail/discard-mail.ts'
import { readMail, readSecretMail } from '#server/features/mail/read-mail.ts'
import { isSendingMail } from '#server/features/mail/read-mail-server.ts'
import { retryMail } from '#server/features/mail/retry-mail.ts'
import { readOffice } from '#server/features/offices/read-office.ts'
import type { Route } from './+types/mail'
import { mailView } from './mail-view.ts'
import css from './outbox-page.module.css'

const PATH = '/dashboard/settings/outbox'

const MailAction = z.strictObject({ intent: z.enum(['retry', 'discard', 'read-secret']) })

export const handle = { hydrate: true, label: 'Correo' }

export const meta: Route.MetaFunction = () => [{ title: 'Correo · Rúbrica' }]

export async function loader({ params, context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const { timeZone } = await orErrorPage(readOffice(system, actor))
  const mailId = await orErrorPage(idOf(params.id))
  const { text, secret, ...mail } = await orErrorPage(readMail(system, actor, { mailId }))
  return {
    ...mailView(mail, timeZone),
    text,
    secret,
    isSending: await orErrorPage(isSendingMail(system, actor)),
  }
}

type Answer = { errors?: FormErrors; secretText?: string }

/* Responds with the secret text directly: a redirect would require storing it meanwhile. */
export async function action({ request, url, params, context }: Route.ActionArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const form = await orErrorPage(readForm(request, context, MailAction))
  if (!form.ok) return data<Answer>({ errors: form.errors }, 422)
  const mailId = await orErrorPage(idOf(params.id))
  const { intent } = form.value
  const work: Promise<unknown> =
    intent === 'read-secret'
      ? readSecretMail(system, actor, { mailId })
      : (intent === 'retry' ? retryMail : discardMail)(system, actor, { mailId })
  const answer = await refusalOrStepUp({ request, url, context }, work)
  if (!answer.ok) {
    if (answer.code !== 'mail-state') await orErrorPage(work)
    return data<Answer>({ errors: { form: [answer.sentence] } }, answer.init)
  }
  if (typeof answer.value === 'string') return data<Answer>({ secretText: answer.value })
  const notice = intent === 'retry' ? 'mail-retried' : 'mail-discarded'
  return redirect(`${PATH}/${mailId}`, { status: 303, headers: { 'Set-Cookie': flash(notice) } })
}

async function idOf(text: string | undefined): Promise<MailId> {
  const id = MailId.safeParse(text)
  if (!id.success) throw new Problem('not-found', 'no id of a mail')
  return id.data
}

export default function MailPage({ loaderData: view, actionData }: Route.ComponentProps) {
  const { errors, secretText }: Answer = actionData ?? {}
  return (
    <>
      <PageHead title={view.subject} lead={<PageLink to={PATH}>Volver a Correos</PageLink>} />
      <Sheets>
        <FormRefusal errors={errors?.form} />
        <Sheet>
          <div className={office.badges}>
            <Badge tone={view.tone}>{view.word}</Badge>
          </div>
          <FactList>
            <Fact name="Para">{`${view.to.name} <${view.to.address}>`}</Fact>
            <Fact name="Clase">{view.kind}</Fact>
            <Fact name="Creado">{view.created}</Fact>
            <Fact name="En este estado desde">{view.since}</Fact>
            <Fact name="Deja de tener sentido">{view.expires}</Fact>
            <Fact name="Intentos">{view.attempts > 0 ? view.attempts : null}</Fact>
            <Fact name="Próximo intento">{view.nextAttempt}</Fact>
            <Fact name="Por qué no se envía">{view.because}</Fact>
            <Fact name="Respuesta del servidor">{view.lastError}</Fact>
            <Fact name="Adjunto">{view.attached}</Fact>
          </FactList>
          {view.canChange && (
            <div className={css.acts}>
              {view.isSending && <ActionForm intent="retry">Enviar ahora</ActionForm>}
              <ActionForm intent="discard" isEnding>
                Descartar
              </ActionForm>
            </div>
          )}
        </Sheet>
        <Sheet title="Texto">
          <Letter view={view} secretText={secretText} />
        </Sheet>
      </Sheets>
    </>
  )
}

type LetterProps = {
  view: { text: string | null; secret: 'none' | 'sealed' | 'forgotten' }
  secretText: string | undefined
}

function Letter({ view, secretText }: LetterProps) {
  const text = view.text ?? secretText
  if (text !== undefined) return <pre className={css.letter}>{text}</pre>
  if (view.secret === 'forgotten')
    return (
      <p className={office.quiet}>
        Llevaba un enlace de un solo uso. El texto se borró al enviarse, usarse o vencer.
      </p>
    )
  return (
    <>
      <p className={office.lead}>
        Lleva un enlace de un solo uso: quien lo tenga puede entrar en lugar de la persona. Su
        consulta queda en la bitácora.
      </p>
      <ActionForm intent="read-secret">Mostrar el texto</ActionForm>
    </>
  )
}

type ActionProps = {
  intent: string
  /** It cannot be undone. */
  isEnding?: boolean
  children: string
}

const ActionForm = ({ intent, isEnding = false, children }: ActionProps) => (
  <PostForm preventScrollReset>
    <input type="hidden" name="intent" value={intent} />
    <SubmitButton {...(isEnding ? { color: 'bad', variant: 'light' } : { variant: 'default' })}>
      {children}
    </SubmitButton>
  </PostForm>
)
