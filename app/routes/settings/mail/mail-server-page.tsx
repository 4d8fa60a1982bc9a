import { data, redirect } from 'react-router'
import { actorContext, systemContext } from '#app/http/context.ts'
import { flash } from '#app/http/cookies/flash.ts'
import { type FormErrors, readForm } from '#app/http/forms.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { orStepUpPage, requireRecentProof } from '#app/http/step-up.ts'
import css from '#app/routes/settings/office.module.css'
import { Notice } from '#app/ui/feedback/notice.tsx'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { Sheets } from '#app/ui/frame/sheets.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { readMailServer, type ShownMailServer } from '#server/features/mail/read-mail-server.ts'
import { removeMailServer } from '#server/features/mail/remove-mail-server.ts'
import { sendTestMail } from '#server/features/mail/send-test-mail.ts'
import { setMailServer } from '#server/features/mail/set-mail-server.ts'
import { sentenceOfTest } from '#server/words/mail/test-mail.ts'
import type { Route } from './+types/mail-server-page'
import { MailServerFields } from './mail-server-fields.tsx'
import { MailServerAction, portChoices, securityChoices } from './mail-server-form.ts'

const PATH = '/dashboard/settings/mail'

export const handle = { hydrate: true, label: 'Servidor de correo' }

export const meta: Route.MetaFunction = () => [{ title: 'Servidor de correo · Rúbrica' }]

/** Steps up before the form: a form with a password cannot be kept. */
export async function loader({ context, url }: Route.LoaderArgs) {
  requireRecentProof({ context, url })
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const { isOfOperator, server } = await orErrorPage(readMailServer(system, actor))
  return {
    isOfOperator,
    isSet: server !== null,
    hasPassword: server?.hasPassword ?? false,
    values: valuesOf(server),
    ports: portChoices,
    securities: securityChoices,
  }
}

const valuesOf = (server: ShownMailServer | null): Record<string, string> => ({
  host: server?.host ?? '',
  port: String(server?.port ?? 587),
  security: server?.security ?? 'starttls',
  username: server?.username ?? '',
  fromName: server?.from.name ?? '',
  fromAddress: server?.from.address ?? '',
  seenAt: String(server?.changedAt ?? ''),
})

type Answer = {
  errors?: FormErrors
  values?: Record<string, string>
  tested?: { tone: 'good' | 'bad'; sentence: string }
}

const STALE =
  'Mientras esta página estaba abierta, alguien cambió el servidor de correo. Lo que usted escribió sigue aquí y no se ha guardado; revíselo y guarde de nuevo. La contraseña debe ponerla otra vez.'
const PASSWORD_NEEDED =
  'Escriba la contraseña: la que está guardada solo se usa con el servidor, el puerto y el usuario para los que se dio.'

export async function action(args: Route.ActionArgs) {
  const { request, context } = args
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const read = await orErrorPage(readForm(request, context, MailServerAction))
  if (!read.ok) return data<Answer>({ errors: read.errors, values: read.values }, 422)
  switch (read.value.intent) {
    case 'set': {
      const { intent: _, fromName, fromAddress, ...given } = read.value
      const from = { name: fromName, address: fromAddress }
      const set = setMailServer(system, actor, { ...given, from })
      const outcome = await orStepUpPage(args, set)
      const { password: __, port, username, seenAt, ...texts } = given
      const values = {
        ...{ ...texts, port: String(port), username: username ?? '', fromName, fromAddress },
        seenAt: String(seenAt ?? ''),
      }
      switch (outcome.kind) {
        case 'stale': {
          const shown = { ...values, seenAt: String(outcome.now?.changedAt ?? '') }
          return data<Answer>({ errors: { form: [STALE] }, values: shown }, 409)
        }
        case 'password-needed':
          return data<Answer>({ errors: { password: [PASSWORD_NEEDED] }, values }, 422)
        case 'set':
          return done('mail-server-set')
      }
      break
    }
    case 'test': {
      const outcome = await orStepUpPage(args, sendTestMail(system, actor))
      const isGood = outcome.kind === 'answered' && outcome.delivery.kind === 'accepted'
      const tone = isGood ? 'good' : 'bad'
      return data<Answer>({ tested: { tone, sentence: sentenceOfTest(outcome) } })
    }
    case 'remove':
      await orStepUpPage(args, removeMailServer(system, actor))
      return done('mail-server-removed')
  }
}

const done = (key: 'mail-server-set' | 'mail-server-removed') =>
  redirect(PATH, { status: 303, headers: { 'Set-Cookie': flash(key) } })

export default function MailServerPage({ loaderData, actionData }: Route.ComponentProps) {
  const { isOfOperator, isSet, hasPassword, ports, securities } = loaderData
  const { errors = {}, values = loaderData.values, tested }: Answer = actionData ?? {}
  return (
    <>
      <PageHead
        title="Servidor de correo"
        lead={<PageLink to="/dashboard/settings/outbox">Ver correos</PageLink>}
      />
      <Sheets>
        <Sheet title="Servidor">
          {isOfOperator ? (
            <p className={css.lead}>
              Lo indicó quien opera el servidor, en SMTP_URL y MAIL_FROM, y vale para toda la
              instalación. Mientras esté ahí, no se usa otro
              {isSet && ': el que se guardó en esta página espera'}.
            </p>
          ) : (
            <MailServerFields
              key={values.seenAt}
              {...{ values, errors, hasPassword, ports, securities }}
            />
          )}
        </Sheet>
        {(isOfOperator || isSet) && (
          <Sheet title="Probar">
            <p className={css.lead}>
              Se envía ahora un correo a su propia dirección. Puede tardar hasta un minuto.
            </p>
            {tested && <Notice tone={tested.tone}>{tested.sentence}</Notice>}
            <PostForm preventScrollReset>
              <input type="hidden" name="intent" value="test" />
              <SubmitButton>Enviar correo de prueba</SubmitButton>
            </PostForm>
          </Sheet>
        )}
        {isSet && (
          <Sheet title="Quitar">
            <p className={css.lead}>
              Se borra también su contraseña. Sin servidor, los correos esperan a que alguien los
              entregue.
            </p>
            <PostForm>
              <input type="hidden" name="intent" value="remove" />
              <SubmitButton variant="outline" color="bad">
                Quitar servidor de correo
              </SubmitButton>
            </PostForm>
          </Sheet>
        )}
      </Sheets>
    </>
  )
}
