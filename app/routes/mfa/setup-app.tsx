import { data, redirectDocument } from 'react-router'
import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { type FormErrors, readForm } from '#app/http/forms.ts'
import { orErrorPage, refusalOf } from '#app/http/problems.ts'
import { refusalSentence } from '#app/http/refusal-sentence.ts'
import { shownTime } from '#app/http/shown-time.ts'
import { returnPathOf, withReturnUrl } from '#app/http/sign-in-redirects.ts'
import { requireRecentProof } from '#app/http/step-up.ts'
import { withSentence } from '#app/http/with-sentence.ts'
import { Notice } from '#app/ui/feedback/notice.tsx'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { TextField } from '#app/ui/forms/text-field.tsx'
import { StandaloneSheet } from '#app/ui/frame/standalone-sheet.tsx'
import { address } from '#app/ui/text/address.ts'
import { Hash } from '#app/ui/text/hash.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { QrPicture } from '#app/ui/text/qr-picture.tsx'
import { readPendingTotp } from '#server/features/mfa/begin-totp.ts'
import { VerifyTotpSetup, verifyTotpSetup } from '#server/features/mfa/verify-totp-setup.ts'
import { readOffice } from '#server/features/offices/read-office.ts'
import type { Route } from './+types/setup-app'
import { factorAdded } from './factor-added.ts'
import css from './mfa.module.css'

const Form = z.object({
  code: withSentence(VerifyTotpSetup.shape.code, 'Escriba los seis dígitos del código.'),
})

export const meta: Route.MetaFunction = () => [
  { title: 'Configurar verificación en dos pasos · Rúbrica' },
]

/** Shows the same secret on every load; redirects if no setup is in progress. */
export async function loader({ url, context }: Route.LoaderArgs) {
  requireRecentProof({ context, url })
  const returnUrl = returnPathOf(url, context)
  const pending = await orErrorPage(
    readPendingTotp(context.get(systemContext), context.get(actorContext)),
  )
  if (!pending) throw redirectDocument(withReturnUrl('/setup-mfa', returnUrl))
  const { secret, uri, qr } = pending
  return { secret, uri, qr, returnUrl }
}

export async function action({ request, url, context }: Route.ActionArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const form = await refusalOf(readForm(request, context, Form))
  if (!form.ok) return data({ sentence: form.sentence }, form.init)
  if (!form.value.ok) return data({ errors: form.value.errors }, 422)
  const answer = await refusalOf(verifyTotpSetup(system, actor, form.value.value))
  if (!answer.ok) return data({ sentence: answer.sentence }, answer.init)
  const outcome = answer.value
  switch (outcome.kind) {
    case 'enabled':
      return factorAdded(context, outcome, returnPathOf(url, context), 'app-added')
    case 'gone':
      return redirectDocument(withReturnUrl('/setup-mfa', returnPathOf(url, context)), 303)
    case 'refused': {
      const office = await refusalOf(readOffice(system, actor))
      const serverTime = shownTime(
        outcome.serverTime,
        office.ok ? office.value.timeZone : undefined,
      )
      const sentence = refusalSentence('TOTP', { ...outcome, attemptsLeft: 0, serverTime })
      return data({ errors: { code: [sentence] } }, 401)
    }
  }
}

export default function SetupApp({ loaderData, actionData }: Route.ComponentProps) {
  const { secret, uri, qr, returnUrl } = loaderData
  const answer: { sentence?: string; errors?: FormErrors } = actionData ?? {}
  return (
    <StandaloneSheet
      title="Configurar verificación en dos pasos"
      isSignedIn
      links={<PageLink to={address('/setup-mfa', { returnUrl })}>Elegir otra forma</PageLink>}
    >
      <ol className={css.steps}>
        <li>Abra su aplicación de autenticación y agregue una cuenta.</li>
        <li>Lea este código QR con ella, o escriba la clave.</li>
      </ol>
      <div className={css.qr}>
        <QrPicture qr={qr} label="Código QR con la clave secreta" size="md" />
      </div>
      <dl className={css.secret}>
        <dt>Clave secreta</dt>
        <dd>
          <Hash value={secret} />
        </dd>
      </dl>
      <p className={css.lead}>
        ¿Lee esta página en su teléfono? <a href={uri}>Abrir la aplicación</a>
      </p>
      <PostForm className={css.form} noValidate>
        {answer.sentence && <Notice tone="bad">{answer.sentence}</Notice>}
        <TextField
          name="code"
          label="Código de verificación"
          help="Los seis dígitos que la aplicación muestra ahora."
          inputMode="numeric"
          autoComplete="one-time-code"
          spellCheck={false}
          size="md"
          maxLength={20}
          required
          errors={answer.errors?.code}
        />
        <SubmitButton size="md" fullWidth>
          Activar
        </SubmitButton>
      </PostForm>
    </StandaloneSheet>
  )
}
