import { data, redirect } from 'react-router'
import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { flash } from '#app/http/cookies/flash.ts'
import { type FormErrors, readForm } from '#app/http/forms.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { signInRedirect } from '#app/http/sign-in-redirects.ts'
import { orStepUpPage, refusalOrStepUp, requireRecentProof } from '#app/http/step-up.ts'
import { Notice } from '#app/ui/feedback/notice.tsx'
import formCss from '#app/ui/forms/form.module.css'
import { PasswordField } from '#app/ui/forms/password-field.tsx'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { TextField } from '#app/ui/forms/text-field.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { Sheets } from '#app/ui/frame/sheets.tsx'
import { EmptyState } from '#app/ui/lists/empty-state.tsx'
import { Item, ItemList } from '#app/ui/lists/item-list.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import {
  LinkAccount,
  type LinkAccountOutcome,
  linkAccount,
} from '#server/features/auth/link-account.ts'
import { listOwnAccounts, type OwnAccount } from '#server/features/auth/list-own-accounts.ts'
import { SwitchAccount, switchAccount } from '#server/features/auth/switch-account.ts'
import { UnlinkAccount, unlinkAccount } from '#server/features/auth/unlink-account.ts'
import { readOffice } from '#server/features/offices/read-office.ts'
import type { Route } from './+types/accounts-page'
import css from './own.module.css'

const PAGE = '/dashboard/profile/offices'

export const handle = { hydrate: true, label: 'Mi Perfil' }

export const meta: Route.MetaFunction = () => [{ title: 'Mis notarías · Rúbrica' }]

/** Steps up before the form: one with a password cannot be kept. */
export async function loader({ url, context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const accounts = await orErrorPage(listOwnAccounts(system, actor))
  requireRecentProof({ context, url })
  const { name } = await orErrorPage(readOffice(system, actor))
  return { office: name, accounts }
}

const Change = z.discriminatedUnion('change', [
  LinkAccount.extend({ change: z.literal('link') }),
  SwitchAccount.extend({ change: z.literal('switch') }),
  UnlinkAccount.extend({ change: z.literal('unlink') }),
])

type Answer = { sentence?: string; errors?: FormErrors; email?: string | undefined }

const REFUSALS: Record<Exclude<LinkAccountOutcome['kind'], 'linked'>, string> = {
  refused: 'El correo o la contraseña no son correctos.',
  'other-person':
    'Esa cuenta no es de otra notaría o no tiene su RFC. Pida al administrador de esa notaría que lo revise.',
  'too-many':
    'Una persona puede vincular hasta 20 cuentas. Quite primero una, de esta cuenta o de la otra.',
}

export async function action({ request, url, context }: Route.ActionArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const read = await orErrorPage(readForm(request, context, Change))
  if (!read.ok) return data<Answer>({ errors: read.errors, email: read.values.email }, 422)
  const change = read.value
  const args = { request, url, context }
  switch (change.change) {
    case 'switch':
      return signInRedirect(
        context,
        await orStepUpPage(args, switchAccount(system, actor, change)),
        '/dashboard',
      )
    case 'unlink':
      await orErrorPage(unlinkAccount(system, actor, change))
      return backWith('account-unlinked')
    case 'link': {
      const { email } = change
      const answer = await refusalOrStepUp(args, linkAccount(system, actor, change))
      if (!answer.ok) return data<Answer>({ sentence: answer.sentence, email }, answer.init)
      const { kind } = answer.value
      if (kind === 'linked') return backWith('account-linked')
      return data<Answer>({ sentence: REFUSALS[kind], email }, 422)
    }
  }
}

const backWith = (notice: 'account-linked' | 'account-unlinked') =>
  redirect(PAGE, { status: 303, headers: { 'Set-Cookie': flash(notice) } })

export default function AccountsPage({ loaderData, actionData }: Route.ComponentProps) {
  const { office, accounts } = loaderData
  const { sentence, errors, email }: Answer = actionData ?? {}
  return (
    <>
      <PageHead
        title="Mis notarías"
        lead={<PageLink to="/dashboard/profile">Volver a Mi Perfil</PageLink>}
      />
      <Sheets>
        <Sheet title="Cambiar de notaría">
          <p className={css.quiet}>
            Ahora está en {office}. Al cambiar se cierra esta sesión y empieza otra; si la otra
            cuenta tiene verificación en dos pasos, se le pide.
          </p>
          {accounts.length === 0 && (
            <EmptyState>No ha agregado cuentas de otras notarías.</EmptyState>
          )}
          <ItemList>
            {accounts.map((account) => (
              <Account key={account.userId} account={account} />
            ))}
          </ItemList>
        </Sheet>
        <Sheet title="Agregar una cuenta">
          <p className={css.quiet}>
            Si recibió una invitación de otra notaría de este sistema, active allí su cuenta con el
            enlace y agréguela aquí. Cada cuenta tiene su propio correo. Ninguna de las dos notarías
            sabe de la otra.
          </p>
          <PostForm className={formCss.form} noValidate>
            {sentence && <Notice tone="bad">{sentence}</Notice>}
            <input type="hidden" name="change" value="link" />
            <TextField
              name="email"
              type="email"
              label="Correo de esa cuenta"
              autoComplete="off"
              spellCheck={false}
              required
              defaultValue={email ?? ''}
              errors={errors?.email}
            />
            <PasswordField
              name="password"
              label="Contraseña de esa cuenta"
              autoComplete="off"
              required
              errors={errors?.password}
            />
            <SubmitButton>Agregar cuenta</SubmitButton>
          </PostForm>
        </Sheet>
      </Sheets>
    </>
  )
}

function Account({ account: { userId, email, office, isUsable } }: { account: OwnAccount }) {
  return (
    <Item icon="people" name={office}>
      <p>{email}</p>
      {!isUsable && <p>No se puede usar: esa notaría o su cuenta en ella está suspendida.</p>}
      <div className={css.actions}>
        {isUsable && <SwitchForm id={userId} office={office} />}
        <PostForm>
          <input type="hidden" name="change" value="unlink" />
          <input type="hidden" name="userId" value={userId} />
          <SubmitButton color="bad" variant="light" aria-label={`Quitar ${office}`}>
            Quitar
          </SubmitButton>
        </PostForm>
      </div>
    </Item>
  )
}

function SwitchForm({ id, office }: { id: string; office: string }) {
  return (
    <PostForm>
      <input type="hidden" name="change" value="switch" />
      <input type="hidden" name="userId" value={id} />
      <SubmitButton aria-label={`Cambiar a ${office}`}>Cambiar</SubmitButton>
    </PostForm>
  )
}
