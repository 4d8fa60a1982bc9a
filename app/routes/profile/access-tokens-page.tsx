import { data, redirect } from 'react-router'
import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import {
  accessTokenCookie,
  clearAccessTokenCookie,
  readAccessTokenCookie,
} from '#app/http/cookies/access-token-cookie.ts'
import { flash } from '#app/http/cookies/flash.ts'
import { type FormErrors, readForm } from '#app/http/forms.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { refusalOrStepUp } from '#app/http/step-up.ts'
import { Notice } from '#app/ui/feedback/notice.tsx'
import formCss from '#app/ui/forms/form.module.css'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SelectField } from '#app/ui/forms/select-field.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { TextField } from '#app/ui/forms/text-field.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { Sheets } from '#app/ui/frame/sheets.tsx'
import { EmptyState } from '#app/ui/lists/empty-state.tsx'
import { Item, ItemList } from '#app/ui/lists/item-list.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { ACCESS_TOKEN_DAYS } from '#server/domain/identity/access-token.ts'
import { formatDay, formatInstant } from '#server/domain/time.ts'
import { CreateAccessToken, createAccessToken } from '#server/features/auth/create-access-token.ts'
import { listAccessTokens } from '#server/features/auth/list-access-tokens.ts'
import { RevokeAccessToken, revokeAccessToken } from '#server/features/auth/revoke-access-token.ts'
import { readOffice } from '#server/features/offices/read-office.ts'
import type { Route } from './+types/access-tokens-page'
import { lastUse } from './factors-view.ts'
import css from './own.module.css'

export const handle = { hydrate: true, label: 'Mi Perfil' }

export const meta: Route.MetaFunction = () => [{ title: 'Tokens de acceso · Rúbrica' }]

const PAGE = '/dashboard/profile/tokens'

export async function loader({ request, context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const { timeZone } = await orErrorPage(readOffice(system, actor))
  const tokens = await orErrorPage(listAccessTokens(system, actor))
  const fresh = readAccessTokenCookie(request, context) ?? null
  const view = {
    fresh,
    validities: ACCESS_TOKEN_DAYS.map((days) => ({ value: String(days), label: `${days} días` })),
    tokens: tokens.map(({ id, name, createdAt, expiresAt, lastUsedAt }) => ({
      id,
      name,
      created: formatInstant(createdAt, timeZone),
      expires: formatDay(expiresAt, timeZone),
      used: lastUse(lastUsedAt, timeZone),
    })),
  }
  return data(view, fresh ? { headers: { 'Set-Cookie': clearAccessTokenCookie() } } : {})
}

const Change = z.discriminatedUnion('change', [
  CreateAccessToken.extend({ change: z.literal('create') }),
  RevokeAccessToken.extend({ change: z.literal('revoke') }),
])

type Answer = { sentence?: string; errors?: FormErrors; name?: string | undefined }

export async function action({ request, url, context }: Route.ActionArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const read = await orErrorPage(readForm(request, context, Change))
  if (!read.ok) return data<Answer>({ errors: read.errors, name: read.values.name }, 422)
  const change = read.value
  const headers = new Headers()
  if (change.change === 'create') {
    const work = createAccessToken(system, actor, change)
    const answer = await refusalOrStepUp({ request, url, context }, work)
    if (!answer.ok) return data<Answer>({ sentence: answer.sentence }, answer.init)
    headers.append('Set-Cookie', accessTokenCookie(context, answer.value.text))
  } else {
    await orErrorPage(revokeAccessToken(system, actor, change))
    headers.append('Set-Cookie', flash('access-token-revoked'))
  }
  return redirect(PAGE, { status: 303, headers })
}

export default function AccessTokens({ loaderData, actionData }: Route.ComponentProps) {
  const { fresh, tokens, validities } = loaderData
  const { sentence, errors, name }: Answer = actionData ?? {}
  return (
    <>
      <PageHead
        title="Tokens de acceso"
        lead={<PageLink to="/dashboard/profile">Volver a Mi Perfil</PageLink>}
      />
      <Sheets>
        {sentence && <Notice tone="bad">{sentence}</Notice>}
        {fresh && (
          <Notice tone="good" title="Copie ahora su token">
            <p>
              <code className={css.secret}>{fresh}</code>
            </p>
            <p>No se volverá a mostrar: si se pierde, revóquelo y cree otro.</p>
          </Notice>
        )}
        <Sheet title="Vigentes">
          {tokens.length === 0 && (
            <EmptyState>Ningún programa puede pedir firmas en su nombre.</EmptyState>
          )}
          <ItemList>
            {tokens.map((token) => (
              <Item key={token.id} icon="key" name={token.name} action={<Revoke id={token.id} />}>
                <p>
                  Creado el {token.created} · vence el {token.expires}
                </p>
                <p>{token.used}</p>
              </Item>
            ))}
          </ItemList>
        </Sheet>
        <Sheet title="Crear">
          <p className={css.quiet}>
            Un token deja entrar a “rubrica agent”, el programa que firma con el token PKCS#11 de su
            equipo lo que espera su firma. No puede hacer nada más, y sin su clave y su NIP no
            firma.
          </p>
          <PostForm className={formCss.form} noValidate>
            <input type="hidden" name="change" value="create" />
            <TextField
              name="name"
              label="Nombre"
              help="Con el que reconocerá el programa o el equipo."
              autoComplete="off"
              maxLength={60}
              required
              defaultValue={name ?? ''}
              errors={errors?.name}
            />
            <SelectField
              name="days"
              label="Vigencia"
              data={validities}
              defaultValue="90"
              errors={errors?.days}
            />
            <SubmitButton>Crear token</SubmitButton>
          </PostForm>
        </Sheet>
      </Sheets>
    </>
  )
}

function Revoke({ id }: { id: string }) {
  return (
    <PostForm>
      <input type="hidden" name="change" value="revoke" />
      <input type="hidden" name="accessTokenId" value={id} />
      <SubmitButton color="bad" variant="light">
        Revocar
      </SubmitButton>
    </PostForm>
  )
}
