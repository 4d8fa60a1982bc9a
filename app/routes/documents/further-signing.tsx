import { data, redirect } from 'react-router'
import { z } from 'zod'
import { flash } from '#app/http/cookies/flash.ts'
import { type FormErrors, readForm } from '#app/http/forms.ts'
import { orErrorPage, refusalOnPage } from '#app/http/problems.ts'
import { withSentence } from '#app/http/with-sentence.ts'
import { CheckboxField } from '#app/ui/forms/checkbox-field.tsx'
import form from '#app/ui/forms/form.module.css'
import { FormRefusal } from '#app/ui/forms/form-refusal.tsx'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import {
  BeginFurtherSession,
  beginFurtherSession,
  type FurtherSigning,
  readFurtherSigning,
} from '#server/features/signing-sessions/begin-further-session.ts'
import type { Route } from './+types/further-signing'
import { documentRequest } from './document-request.ts'

const Fields = z.object({
  version: BeginFurtherSession.shape.version,
  understood: withSentence(z.literal('on'), 'Marque la casilla para confirmar que lo leyó.'),
})

export const handle = { hydrate: true, label: 'Pedir otra firma' }

export const meta: Route.MetaFunction = () => [{ title: 'Pedir otra firma · Rúbrica' }]

export async function loader({ params, context }: Route.LoaderArgs) {
  const { system, actor, documentId } = await orErrorPage(documentRequest(params, context))
  const further = await orErrorPage(readFurtherSigning(system, actor, { documentId }))
  const { document, signedBy } = further
  return {
    address: `/dashboard/documents/${documentId}`,
    title: document.title,
    version: document.version,
    signers: signersSentence(signedBy),
    consequences: consequencesOf(further),
  }
}

function signersSentence(names: readonly string[]): string {
  if (names.length === 0) return 'El documento está completo.'
  const verb = names.length === 1 ? 'firmó' : 'firmaron'
  return `El documento está completo: lo ${verb} ${new Intl.ListFormat('es-MX').format(names)}.`
}

/** What changes and what it costs, most important first. */
function consequencesOf({ office, constancia, hasLongTermProof }: FurtherSigning): string[] {
  const { timestampPolicy, constanciaPolicy } = office
  const isPaidFor = constancia === 'issued' || constancia === 'pending'
  return [
    'El archivo firmado será otro: cambian su huella digital (SHA-256) y su versión. Las firmas que ya tiene se conservan.',
    ...(timestampPolicy === 'none'
      ? []
      : [
          hasLongTermProof
            ? 'Mientras la sesión esté abierta, la firma nueva no tiene prueba a largo plazo. Al completarse se hace otra prueba (PAdES B-LTA) sobre todo el archivo.'
            : 'La prueba a largo plazo (PAdES B-LTA) se hace hasta que la sesión se complete.',
        ]),
    ...(constanciaPolicy === 'at-completion'
      ? [
          `Al completarse se solicita al prestador ${isPaidFor ? 'otra' : 'una'} constancia NOM-151, que tiene costo para la notaría.`,
        ]
      : isPaidFor
        ? [
            'La constancia NOM-151 que ya tiene es de la versión actual: no cubre la firma nueva. Otra constancia se solicita aparte y tiene costo.',
          ]
        : []),
    'Mientras tanto, la verificación pública sigue respondiendo con la versión actual y dice que otra firma está en trámite.',
  ]
}

type Answer = { errors?: FormErrors }

export async function action({ request, params, context }: Route.ActionArgs) {
  const { system, actor, documentId } = await orErrorPage(documentRequest(params, context))
  const read = await orErrorPage(readForm(request, context, Fields))
  if (!read.ok) return data<Answer>({ errors: read.errors }, 422)
  const { version } = read.value
  const answer = await refusalOnPage(beginFurtherSession(system, actor, { documentId, version }))
  if (!answer.ok) return data<Answer>({ errors: { form: [answer.sentence] } }, answer.init)
  return redirect(`/dashboard/signing/${answer.value}`, {
    status: 303,
    headers: { 'Set-Cookie': flash('further-signing-created') },
  })
}

export default function FurtherSigningPage({ loaderData, actionData }: Route.ComponentProps) {
  const { address, title, version, signers, consequences } = loaderData
  const { errors }: Answer = actionData ?? {}
  return (
    <>
      <PageHead
        title="Pedir otra firma"
        lead={<PageLink to={address}>Volver a {title}</PageLink>}
      />
      <Sheet>
        <PostForm className={form.form} noValidate>
          <input type="hidden" name="version" value={version} />
          <FormRefusal errors={errors?.form} />
          <p>{signers} Agregarle una firma es poco común. Esto es lo que cambia:</p>
          <ul>
            {consequences.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
          <CheckboxField
            name="understood"
            value="on"
            label="Leí lo que cambia y el documento necesita otra firma"
            required
            errors={errors?.understood}
          />
          <SubmitButton>Preparar la sesión de firma</SubmitButton>
        </PostForm>
      </Sheet>
    </>
  )
}
