import { data, redirectDocument } from 'react-router'
import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { type FormErrors, readForm, UploadedFile } from '#app/http/forms.ts'
import { noStore } from '#app/http/page-headers.ts'
import { orErrorPage, refusalOf } from '#app/http/problems.ts'
import { withSentence } from '#app/http/with-sentence.ts'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { readRejection } from '#server/features/rejections/read-rejection.ts'
import { rejectOnServer } from '#server/features/rejections/reject-on-server.ts'
import { RejectWithCode, rejectWithCode } from '#server/features/rejections/reject-with-code.ts'
import { sendRejectionCode } from '#server/features/rejections/send-rejection-code.ts'
import type { Route } from './+types/guest-reject'
import { afterRejection } from './after-rejection.ts'
import css from './guest.module.css'
import { RejectForm } from './reject-form.tsx'
import { rejectView } from './reject-view.ts'
import { RejectWithEfirma } from './reject-with-efirma-sheet.tsx'

const reason = withSentence(
  RejectWithCode.shape.reason,
  'Escriba el motivo, en no más de 500 caracteres.',
)
const file = UploadedFile.transform(({ bytes }) => bytes)

/** `efirma` and `mail` ask for the proof; `code` and `server` have it. */
const Form = z.discriminatedUnion('proof', [
  z.object({ proof: z.literal('efirma'), reason }),
  z.object({ proof: z.literal('mail'), reason }),
  z.object({
    proof: z.literal('code'),
    reason,
    code: withSentence(
      RejectWithCode.shape.code,
      'Escriba los diez caracteres del código, como están en el correo.',
    ),
  }),
  z.object({
    proof: z.literal('server'),
    reason,
    certificate: file,
    privateKey: file,
    pkcs12: UploadedFile.optional().transform((chosen) => chosen?.bytes ?? new Uint8Array()),
    password: z.string().max(1000).default(''),
    consent: z
      .literal('yes')
      .optional()
      .transform((value) => value === 'yes'),
  }),
])
type Form = z.infer<typeof Form>

const WRONG_CODE =
  'El código no es el más reciente, ya venció o no es correcto. Revíselo o pida otro.'

/** `reason` shows the first form; `efirma` the forms for it, and `server` that without scripts alone. */
type Answer = { step: 'reason' | 'efirma' | 'server'; typed: string; errors?: FormErrors }

export const meta: Route.MetaFunction = () => [{ title: 'Rechazar la firma · Rúbrica' }]

export const headers = noStore

export async function loader({ context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const reading = readRejection(system, actor)
  const answer = await refusalOf(reading)
  // They have signed everything, or the session is over.
  if (!answer.ok && answer.code === 'session-state') throw redirectDocument('/sign/documents', 303)
  return rejectView(await orErrorPage(reading))
}

export async function action({ request, context }: Route.ActionArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const form = await refusalOf(readForm(request, context, Form))
  if (!form.ok) return refused({ step: 'reason', typed: '' }, form.sentence, form.init)
  if (!form.value.ok) {
    const { errors, values } = form.value
    return data<Answer>({ step: 'reason', typed: values.reason ?? '', errors }, 422)
  }
  const { value } = form.value
  const step = value.proof === 'server' ? 'server' : 'reason'
  const answer = await refusalOf(proceed(value))
  return answer.ok
    ? answer.value
    : refused({ step, typed: value.reason }, answer.sentence, answer.init)

  async function proceed(sent: Form) {
    const typed = sent.reason
    switch (sent.proof) {
      case 'efirma':
        return data<Answer>({ step: 'efirma', typed })
      case 'mail':
        await sendRejectionCode(system, actor)
        return data<Answer>({ step: 'reason', typed })
      case 'code': {
        const outcome = await rejectWithCode(system, actor, sent)
        if (outcome.kind === 'rejected') return leave(outcome)
        return data<Answer>({ step: 'reason', typed, errors: { code: [WRONG_CODE] } }, 422)
      }
      case 'server': {
        const outcome = await rejectOnServer(system, actor, sent)
        if (outcome.kind === 'rejected') return leave(outcome)
        return data<Answer>({ step: 'server', typed, errors: errorsOf(outcome.sentences) }, 422)
      }
    }
  }
}

function leave(outcome: { hasCopy: boolean }): Response {
  const { address, headers } = afterRejection(outcome)
  return redirectDocument(address, { status: 303, headers })
}

const refused = (answer: Answer, sentence: string, init: ResponseInit) =>
  data<Answer>({ ...answer, errors: { form: [sentence] } }, init)

function errorsOf(sentences: Record<string, string>): FormErrors {
  return Object.fromEntries(Object.entries(sentences).map(([field, text]) => [field, [text]]))
}

export default function GuestReject({ loaderData: view, actionData }: Route.ComponentProps) {
  const { step, typed, errors }: Answer = actionData ?? { step: 'reason', typed: '' }
  return (
    <div className={css.column}>
      <PageHead
        title="Rechazar la firma"
        lead={
          <>
            {view.title} · <PageLink to="/sign/documents">Volver a mis documentos</PageLink>
          </>
        }
      />
      {step === 'reason' ? (
        <RejectForm view={view} typed={typed} errors={errors} />
      ) : (
        <RejectWithEfirma
          view={view}
          reason={typed}
          errors={errors}
          isOnServer={step === 'server'}
        />
      )}
    </div>
  )
}
