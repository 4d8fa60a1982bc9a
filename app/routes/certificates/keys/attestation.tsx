import { data, redirect } from 'react-router'
import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { flash } from '#app/http/cookies/flash.ts'
import { type FormErrors, readForm } from '#app/http/forms.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { refusalOrStepUp, requireRecentProof } from '#app/http/step-up.ts'
import form from '#app/ui/forms/form.module.css'
import { FormRefusal } from '#app/ui/forms/form-refusal.tsx'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { Sheets } from '#app/ui/frame/sheets.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import {
  type AttachAttestationOutcome,
  attachAttestation,
} from '#server/features/yubikeys/attach-attestation.ts'
import { readYubikey } from '#server/features/yubikeys/read-yubikey.ts'
import { attestationFaults, sentenceOfConflict } from '#server/words/yubikeys.ts'
import type { Route } from './+types/attestation'
import { AttestationFields } from './attestation-fields.tsx'
import css from './key.module.css'
import { keyIdOf } from './key-id.ts'
import { attestationFiles, chosen } from './registration-form.ts'

export const handle = { hydrate: true, label: 'Agregar atestación' }

export const meta: Route.MetaFunction = () => [{ title: 'Agregar atestación · Rúbrica' }]

const AttestationForm = z.strictObject({
  version: z.coerce.number().int().positive(),
  ...attestationFiles,
})

/** Steps up before the form: a form with a file cannot be kept. */
export async function loader({ params, context, url }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const yubikeyId = await orErrorPage(keyIdOf(params.id))
  const { yubikey } = await orErrorPage(readYubikey(system, actor, { yubikeyId }))
  requireRecentProof({ context, url })
  const { id, model, serial, version } = yubikey
  return { id, version, name: `${model} ${serial}` }
}

type Answer = { errors: FormErrors }

export async function action({ request, url, params, context }: Route.ActionArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const yubikeyId = await orErrorPage(keyIdOf(params.id))
  const read = await orErrorPage(readForm(request, context, AttestationForm))
  if (!read.ok) return data<Answer>({ errors: read.errors }, 422)
  const { statement, intermediate, version: seenVersion } = read.value
  const attestation = chosen([statement, intermediate])
  if (attestation.length === 0)
    return data<Answer>({ errors: { statement: ['Elija el archivo de la atestación.'] } }, 422)
  const work = attachAttestation(system, actor, { yubikeyId, seenVersion, attestation })
  const answer = await refusalOrStepUp({ request, url, context }, work)
  if (!answer.ok) {
    if (answer.init.status !== 409) await orErrorPage(work)
    return data<Answer>({ errors: { form: [answer.sentence] } }, answer.init)
  }
  if (answer.value.kind !== 'attached')
    return data<Answer>({ errors: { statement: [sentenceOf(answer.value)] } }, 422)
  return redirect(`/dashboard/certificates/keys/${yubikeyId}`, {
    status: 303,
    headers: { 'Set-Cookie': flash('attestation-attached') },
  })
}

const sentenceOf = (outcome: Exclude<AttachAttestationOutcome, { kind: 'attached' }>) =>
  outcome.kind === 'unreadable'
    ? attestationFaults[outcome.fault]
    : outcome.conflicts.map(sentenceOfConflict).join(' ')

export default function AttachAttestation({ loaderData, actionData }: Route.ComponentProps) {
  const { errors }: Partial<Answer> = actionData ?? {}
  const { id, version, name } = loaderData
  return (
    <>
      <PageHead
        title="Agregar atestación"
        lead={<PageLink to={`/dashboard/certificates/keys/${id}`}>Volver a {name}</PageLink>}
      />
      <Sheets>
        <Sheet>
          <p className={css.lead}>
            Con la atestación consta que una clave se creó en el dispositivo y cuándo pide el NIP y
            el toque. Se guarda tal como llegó y se comprueba cada vez que se consulta.
          </p>
          <PostForm encType="multipart/form-data" className={form.form} noValidate>
            <input type="hidden" name="version" value={version} />
            <FormRefusal errors={errors?.form} />
            <AttestationFields errors={errors} />
            <SubmitButton>Guardar atestación</SubmitButton>
          </PostForm>
        </Sheet>
      </Sheets>
    </>
  )
}
