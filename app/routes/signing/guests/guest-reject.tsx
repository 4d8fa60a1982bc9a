import { data, redirectDocument } from 'react-router'
import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { clearCookie } from '#app/http/cookies/cookies.ts'
import { flash } from '#app/http/cookies/flash.ts'
import { type FormErrors, readForm } from '#app/http/forms.ts'
import { noStore } from '#app/http/page-headers.ts'
import { orErrorPage, refusalOf } from '#app/http/problems.ts'
import { withSentence } from '#app/http/with-sentence.ts'
import { Notice } from '#app/ui/feedback/notice.tsx'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { TextField } from '#app/ui/forms/text-field.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { mustBeGuest } from '#server/domain/policy/authorize.ts'
import { readGuestSession } from '#server/features/guests/read-guest-session.ts'
import { RejectSigning, rejectSigning } from '#server/features/signing-sessions/reject-signing.ts'
import type { Route } from './+types/guest-reject'
import css from './guest.module.css'
import { guestView } from './guest-view.ts'

const Form = z.object({
  reason: withSentence(
    RejectSigning.shape.reason,
    'Escriba el motivo, en no más de 500 caracteres.',
  ),
})

export const meta: Route.MetaFunction = () => [{ title: 'Rechazar la firma · Rúbrica' }]

export const headers = noStore

export async function loader({ context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const { asked, office } = guestView(await orErrorPage(readGuestSession(system, actor)))
  if (!asked?.canReject) throw redirectDocument('/sign/documents', 303)
  const hasCopy = asked.documents.some(({ held }) => held === 'signed')
  return { title: asked.title, office, documents: asked.documents.length, hasCopy }
}

/**
 * Rejection ends the session, and with it the links of signers who have signed nothing; the others keep
 * access to their copies.
 */
export async function action({ request, context }: Route.ActionArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const form = await refusalOf(readForm(request, context, Form))
  if (!form.ok)
    return data({ errors: { form: [form.sentence] } as FormErrors, typed: '' }, form.init)
  const { value } = form
  if (!value.ok) return data({ errors: value.errors, typed: value.values.reason ?? '' }, 422)
  const { reason } = value.value
  const answer = await refusalOf(reject())
  if (!answer.ok)
    return data({ errors: { form: [answer.sentence] } as FormErrors, typed: reason }, answer.init)
  const headers = new Headers({ 'Set-Cookie': flash('signing-rejected') })
  if (answer.value.hasCopy) return redirectDocument('/sign/documents', { status: 303, headers })
  headers.append('Set-Cookie', clearCookie('__Host-guest'))
  return redirectDocument('/sign', { status: 303, headers })

  async function reject() {
    const { signingSessionId } = mustBeGuest(actor)
    return await rejectSigning(system, actor, { signingSessionId, reason })
  }
}

export default function GuestReject({ loaderData, actionData }: Route.ComponentProps) {
  const { title, office, documents, hasCopy } = loaderData
  const errors: FormErrors | undefined = actionData?.errors
  return (
    <div className={css.column}>
      <PageHead
        title="Rechazar la firma"
        lead={
          <>
            {title} · <PageLink to="/sign/documents">Volver a mis documentos</PageLink>
          </>
        }
      />
      <Sheet>
        <PostForm className={css.consent} noValidate>
          {errors?.form?.[0] && <Notice tone="bad">{errors.form[0]}</Notice>}
          <p>
            {documents === 1
              ? 'Nadie más podrá firmar este documento en esta sesión.'
              : `Nadie más podrá firmar los ${documents} documentos de esta sesión.`}{' '}
            {office} recibirá su motivo
            {hasCopy
              ? '. Conservará la copia de lo que ya firmó.'
              : ', y este enlace dejará de servir.'}
          </p>
          <TextField
            name="reason"
            label="Motivo"
            help="Por ejemplo: mi nombre está mal escrito."
            maxLength={500}
            required
            defaultValue={actionData?.typed ?? ''}
            errors={errors?.reason}
          />
          <SubmitButton>Rechazar la firma</SubmitButton>
        </PostForm>
      </Sheet>
    </div>
  )
}
