import '@mantine/core/styles/UnstyledButton.css'
import '@mantine/core/styles/Button.css'
import { Button } from '@mantine/core'
import { redirectDocument } from 'react-router'
import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import {
  clearBackupCodesCookie,
  readBackupCodesCookie,
} from '#app/http/cookies/backup-codes-cookie.ts'
import { readForm } from '#app/http/forms.ts'
import { refusalOf } from '#app/http/problems.ts'
import { returnPathOf } from '#app/http/sign-in-redirects.ts'
import printingUrl from '#app/islands/printing.ts?worker&url'
import { Notice } from '#app/ui/feedback/notice.tsx'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { Island } from '#app/ui/frame/island.tsx'
import { StandaloneSheet } from '#app/ui/frame/standalone-sheet.tsx'
import { ButtonLink } from '#app/ui/text/button-link.tsx'
import { Icon } from '#app/ui/text/icon.tsx'
import { fullName } from '#server/domain/identity/person-name.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { formatDay } from '#server/domain/time.ts'
import type { Route } from './+types/backup-codes'
import css from './backup-codes.module.css'

export const meta: Route.MetaFunction = () => [{ title: 'Códigos de respaldo · Rúbrica' }]

export function loader({ request, context }: Route.LoaderArgs) {
  const person = mustBeSignedIn(context.get(actorContext))
  const { clock, settings } = context.get(systemContext)
  return {
    codes: readBackupCodesCookie(request, context) ?? null,
    name: fullName(person),
    host: new URL(settings.publicOrigin).host,
    day: formatDay(clock.now()),
  }
}

/** The user confirms that the codes are saved; nothing shows them again. */
export async function action({ request, url, context }: Route.ActionArgs) {
  const form = await refusalOf(readForm(request, context, z.object({})))
  const headers = form.ok ? { 'Set-Cookie': clearBackupCodesCookie() } : {}
  return redirectDocument(returnPathOf(url, context), { status: 303, headers })
}

export default function BackupCodes({ loaderData }: Route.ComponentProps) {
  const { codes, name, host, day } = loaderData
  return (
    <StandaloneSheet title="Códigos de respaldo" links={false}>
      {codes ? (
        <>
          <div className={css.onScreen}>
            <Notice tone="wait" isLive={false}>
              Se muestran solo esta vez. Guárdelos fuera de este equipo: cada uno abre su cuenta una
              vez, junto con su contraseña, si pierde la llave o el teléfono.
            </Notice>
          </div>
          <section className={css.card} aria-label="Tarjeta para imprimir">
            <p className={css.owner}>
              <strong>Rúbrica · códigos de respaldo</strong>
              <span>{name}</span>
              <span>
                {host} · {day}
              </span>
            </p>
            <ol className={css.codes}>
              {codes.map((code) => (
                <li key={code}>
                  <code>{code}</code>
                </li>
              ))}
            </ol>
          </section>
          <div className={`${css.ways} ${css.onScreen}`}>
            <ButtonLink
              to="/setup-mfa/backup-codes.txt"
              variant="default"
              leftSection={<Icon name="download" />}
            >
              Descargar
            </ButtonLink>
            <span data-island="printing" hidden>
              <Button type="button" variant="default" leftSection={<Icon name="print" />}>
                Imprimir
              </Button>
            </span>
          </div>
          <noscript>
            <p className={`${css.quiet} ${css.onScreen}`}>
              Para imprimirlos, elija “Imprimir” en el menú de su navegador.
            </p>
          </noscript>
          <Island src={printingUrl} />
        </>
      ) : (
        <p>
          Los códigos ya no se muestran. Si no los guardó, genere otros en su perfil: los de antes
          dejarán de servir.
        </p>
      )}
      <PostForm className={css.onScreen}>
        <SubmitButton size="md" fullWidth>
          Continuar
        </SubmitButton>
      </PostForm>
    </StandaloneSheet>
  )
}
