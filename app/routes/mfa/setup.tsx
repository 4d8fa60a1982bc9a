import { data, redirectDocument } from 'react-router'
import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { readForm } from '#app/http/forms.ts'
import { orErrorPage, refusalOf } from '#app/http/problems.ts'
import { returnPathOf, withReturnUrl } from '#app/http/sign-in-redirects.ts'
import { orStepUpPage } from '#app/http/step-up.ts'
import { Notice } from '#app/ui/feedback/notice.tsx'
import { ChoiceButton, ChoiceLink, ChoiceList } from '#app/ui/forms/choice-list.tsx'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { StandaloneSheet } from '#app/ui/frame/standalone-sheet.tsx'
import { address } from '#app/ui/text/address.ts'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { beginTotp } from '#server/features/mfa/begin-totp.ts'
import { listFactors } from '#server/features/mfa/list-factors.ts'
import type { Route } from './+types/setup'
import { factorWords } from './factor-words.ts'
import css from './mfa.module.css'

const Choose = z.object({ method: z.literal('TOTP', 'Elija una de las formas.') })

export const meta: Route.MetaFunction = () => [
  { title: 'Configurar verificación en dos pasos · Rúbrica' },
]

export async function loader({ url, context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const { totp } = await orErrorPage(listFactors(system, actor))
  return {
    hasApp: totp !== null,
    // If the office requires a second factor by now, it cannot be postponed.
    mayWait: mustBeSignedIn(actor).duty === null,
    returnUrl: returnPathOf(url, context),
  }
}

/** Starts the setup of an authenticator app: creates the secret that one page shows. */
export async function action({ request, url, context }: Route.ActionArgs) {
  const form = await refusalOf(readForm(request, context, Choose))
  if (!form.ok) return data({ sentence: form.sentence }, form.init)
  if (!form.value.ok) return data({ sentence: 'Elija una de las formas.' }, 422)
  const beginning = beginTotp(context.get(systemContext), context.get(actorContext))
  await orStepUpPage({ request, context, url }, beginning)
  return redirectDocument(withReturnUrl('/setup-mfa/app', returnPathOf(url, context)), 303)
}

export default function Setup({ loaderData, actionData }: Route.ComponentProps) {
  const { hasApp, mayWait, returnUrl } = loaderData
  const { WEBAUTHN, TOTP } = factorWords
  return (
    <StandaloneSheet
      title="Configurar verificación en dos pasos"
      isSignedIn
      links={mayWait && <PageLink to={returnUrl}>Ahora no</PageLink>}
    >
      <p className={css.lead}>
        Además de su contraseña, algo que solo usted tiene. Así, quien conozca su contraseña no
        entra a su cuenta.
      </p>
      {!mayWait && (
        <Notice tone="note" isLive={false}>
          Su notaría exige este paso antes de continuar.
        </Notice>
      )}
      {actionData && <Notice tone="bad">{actionData.sentence}</Notice>}
      <PostForm>
        <ChoiceList label="Formas de verificación">
          <ChoiceLink
            to={address('/setup-mfa/key', { returnUrl })}
            icon={WEBAUTHN.icon}
            name={WEBAUTHN.name}
            line="La más segura: una llave USB o NFC que nadie puede copiar."
          />
          <ChoiceButton
            value="TOTP"
            icon={TOTP.icon}
            name={hasApp ? 'Otra aplicación de autenticación' : TOTP.name}
            line={
              hasApp
                ? 'Para un teléfono nuevo: sustituye a la aplicación actual.'
                : 'Un código de seis dígitos en su teléfono.'
            }
          />
        </ChoiceList>
      </PostForm>
    </StandaloneSheet>
  )
}
