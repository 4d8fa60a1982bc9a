import { data, redirect } from 'react-router'
import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { flash } from '#app/http/cookies/flash.ts'
import { type FormErrors, readForm } from '#app/http/forms.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { refusalOrStepUp } from '#app/http/step-up.ts'
import { withSentence } from '#app/http/with-sentence.ts'
import { Notice } from '#app/ui/feedback/notice.tsx'
import formCss from '#app/ui/forms/form.module.css'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { TextField } from '#app/ui/forms/text-field.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { Sheets } from '#app/ui/frame/sheets.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { Fact, FactList } from '#app/ui/text/fact-list.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { WebauthnCredentialName } from '#server/domain/identity/webauthn-credential.ts'
import { Problem } from '#server/domain/problem.ts'
import { formatInstant } from '#server/domain/time.ts'
import { listWebauthnCredentials } from '#server/features/mfa/list-webauthn-credentials.ts'
import { removeWebauthnCredential } from '#server/features/mfa/remove-webauthn-credential.ts'
import { renameWebauthnCredential } from '#server/features/mfa/rename-webauthn-credential.ts'
import { readOffice } from '#server/features/offices/read-office.ts'
import type { Route } from './+types/security-key'
import { lastUse } from './factors-view.ts'
import css from './own.module.css'

const Change = z.discriminatedUnion('change', [
  z.object({
    change: z.literal('rename'),
    name: withSentence(WebauthnCredentialName, 'Escriba un nombre de hasta 60 caracteres.'),
  }),
  z.object({ change: z.literal('remove') }),
])

export const handle = { hydrate: true, label: 'Mi Perfil' }

export const meta: Route.MetaFunction = () => [{ title: 'Llave de seguridad · Rúbrica' }]

export async function loader({ params, context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const { timeZone } = await orErrorPage(readOffice(system, actor))
  const key = await orErrorPage(findOwn(listWebauthnCredentials(system, actor), params.id))
  return {
    name: key.name,
    model: key.model,
    added: formatInstant(key.createdAt, timeZone),
    used: lastUse(key.lastUsedAt, timeZone),
    isSuspect: key.state === 'suspect',
    isBackedUp: key.backup === 'backed-up',
  }
}

/** Throws 404 for another user's key. */
async function findOwn<K extends { id: string }>(keys: Promise<K[]>, id: string): Promise<K> {
  const key = (await keys).find((one) => one.id === id)
  if (!key) throw new Problem('not-found', `no own key ${id.slice(0, 40)}`)
  return key
}

export async function action({ request, url, params, context }: Route.ActionArgs) {
  const args = { request, context, url }
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const form = await orErrorPage(readForm(request, context, Change))
  if (!form.ok) return data({ errors: form.errors, name: form.values.name }, 422)
  const own = await orErrorPage(findOwn(listWebauthnCredentials(system, actor), params.id))
  const { id: credentialId } = own
  const change = form.value
  const answer = await refusalOrStepUp(
    args,
    change.change === 'rename'
      ? renameWebauthnCredential(system, actor, { credentialId, name: change.name })
      : removeWebauthnCredential(system, actor, { credentialId }),
  )
  if (!answer.ok) return data({ sentence: answer.sentence }, answer.init)
  return redirect('/dashboard/profile', {
    status: 303,
    headers: { 'Set-Cookie': flash(change.change === 'rename' ? 'key-renamed' : 'key-removed') },
  })
}

type Answer = { sentence?: string; errors?: FormErrors; name?: string | undefined }

export default function SecurityKey({ loaderData, actionData }: Route.ComponentProps) {
  const { name, model, added, used, isSuspect, isBackedUp } = loaderData
  const answer: Answer = actionData ?? {}
  return (
    <>
      <PageHead
        title={name}
        lead={<PageLink to="/dashboard/profile">Volver a Mi Perfil</PageLink>}
      />
      <Sheets>
        {answer.sentence && <Notice tone="bad">{answer.sentence}</Notice>}
        {isSuspect && (
          <Notice tone="bad" isLive={false}>
            Se reportó perdida, o puede existir una copia de esta llave: dejó de abrir su cuenta.
            Quítela y registre otra.
          </Notice>
        )}
        <Sheet title="Llave de seguridad">
          <FactList>
            <Fact name="Modelo">{model}</Fact>
            <Fact name="Agregada">{added}</Fact>
            <Fact name="Uso">{used}</Fact>
            <Fact name="Copia de seguridad">
              {isBackedUp ? 'Sí, en la cuenta del fabricante' : 'No'}
            </Fact>
          </FactList>
        </Sheet>
        <Sheet title="Nombre">
          <PostForm className={formCss.form} noValidate>
            <input type="hidden" name="change" value="rename" />
            <TextField
              name="name"
              label="Nombre de la llave"
              autoComplete="off"
              maxLength={60}
              required
              defaultValue={answer.name ?? name}
              errors={answer.errors?.name}
            />
            <SubmitButton>Guardar nombre</SubmitButton>
          </PostForm>
        </Sheet>
        <Sheet title="Quitar">
          <p className={css.quiet}>
            La llave deja de abrir su cuenta. Si es su única verificación, también dejan de servir
            los códigos de respaldo.
          </p>
          <PostForm>
            <input type="hidden" name="change" value="remove" />
            <SubmitButton color="bad" variant="light">
              Quitar llave
            </SubmitButton>
          </PostForm>
        </Sheet>
      </Sheets>
    </>
  )
}
