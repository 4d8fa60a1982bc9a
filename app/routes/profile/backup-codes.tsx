import { data, redirectDocument } from 'react-router'
import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { backupCodesCookie } from '#app/http/cookies/backup-codes-cookie.ts'
import { readForm } from '#app/http/forms.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { withReturnUrl } from '#app/http/sign-in-redirects.ts'
import { refusalOrStepUp } from '#app/http/step-up.ts'
import { Notice } from '#app/ui/feedback/notice.tsx'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { Sheets } from '#app/ui/frame/sheets.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { formatInstant } from '#server/domain/time.ts'
import { listFactors } from '#server/features/mfa/list-factors.ts'
import { regenerateBackupCodes } from '#server/features/mfa/regenerate-backup-codes.ts'
import { readOffice } from '#server/features/offices/read-office.ts'
import type { Route } from './+types/backup-codes'
import css from './own.module.css'

export const handle = { hydrate: true, label: 'Mi Perfil' }

export const meta: Route.MetaFunction = () => [{ title: 'Códigos de respaldo · Rúbrica' }]

export async function loader({ context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const { timeZone } = await orErrorPage(readOffice(system, actor))
  const { backupCodes } = await orErrorPage(listFactors(system, actor))
  return (
    backupCodes && {
      left: backupCodes.left,
      total: backupCodes.total,
      created: formatInstant(backupCodes.createdAt, timeZone),
    }
  )
}

/** The new codes are shown once, on their own page. */
export async function action({ request, url, context }: Route.ActionArgs) {
  await orErrorPage(readForm(request, context, z.object({})))
  const making = regenerateBackupCodes(context.get(systemContext), context.get(actorContext))
  const answer = await refusalOrStepUp({ request, context, url }, making)
  if (!answer.ok) return data({ sentence: answer.sentence }, answer.init)
  return redirectDocument(withReturnUrl('/setup-mfa/backup-codes', '/dashboard/profile'), {
    status: 303,
    headers: { 'Set-Cookie': backupCodesCookie(context, answer.value.codes) },
  })
}

export default function BackupCodes({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <>
      <PageHead
        title="Códigos de respaldo"
        lead={<PageLink to="/dashboard/profile">Volver a Mi Perfil</PageLink>}
      />
      <Sheets>
        {actionData && <Notice tone="bad">{actionData.sentence}</Notice>}
        <Sheet>
          <p className={css.quiet}>
            {loaderData
              ? `Quedan ${loaderData.left} de ${loaderData.total}, creados el ${loaderData.created}. Al generar otros, los de antes dejan de servir.`
              : 'No tiene códigos de respaldo. Con ellos entra a su cuenta si pierde la llave o el teléfono.'}
          </p>
          <PostForm>
            <SubmitButton>Generar códigos nuevos</SubmitButton>
          </PostForm>
        </Sheet>
      </Sheets>
    </>
  )
}
