import { useRef, useState } from 'react'
import { data, redirect } from 'react-router'
import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { flash } from '#app/http/cookies/flash.ts'
import { readForm, UploadedFile } from '#app/http/forms.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { FileField } from '#app/ui/forms/file-field.tsx'
import form from '#app/ui/forms/form.module.css'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { Sheets } from '#app/ui/frame/sheets.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { registerCertificate } from '#server/features/certificates/register-certificate.ts'
import type { Route } from './+types/new'
import css from './certificate-sheets.module.css'

const LIST = '/dashboard/certificates'

export const handle = { hydrate: true, label: 'Registrar certificado' }

export const meta: Route.MetaFunction = () => [{ title: 'Registrar certificado · Rúbrica' }]

const RegisterForm = z.object({ certificate: UploadedFile.transform(({ bytes }) => bytes) })

export function loader({ context }: Route.LoaderArgs) {
  return { rfc: mustBeSignedIn(context.get(actorContext)).rfc }
}

export async function action({ request, context }: Route.ActionArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const read = await orErrorPage(readForm(request, context, RegisterForm))
  if (!read.ok) return data({ error: NO_FILE }, 422)
  const file = read.value.certificate
  if (file.length === 0) return data({ error: NO_FILE }, 422)
  const outcome = await orErrorPage(registerCertificate(system, actor, { file }))
  if (outcome.kind === 'refused') return data({ error: outcome.sentence }, 422)
  const notice = outcome.kind === 'known' ? 'certificate-known' : 'certificate-registered'
  return redirect(`${LIST}/${outcome.id}`, {
    status: 303,
    headers: { 'Set-Cookie': flash(notice) },
  })
}

const NO_FILE = 'Elija el archivo .cer de su e.firma.'
const IS_KEY =
  'Es una clave privada, no un certificado: no se envió. Elija aquí el archivo .cer de su e.firma y no comparta el archivo .key con nadie.'

/** Files that hold a private key, by their names; they stay in the browser. */
const KEY_FILE = /\.(?:key|p12|pfx)$/i

export default function NewCertificate({ loaderData, actionData }: Route.ComponentProps) {
  const input = useRef<HTMLInputElement>(null)
  const [isKey, setIsKey] = useState(false)
  function refuseKey(files: readonly File[]) {
    const found = files.some(({ name }) => KEY_FILE.test(name))
    if (found && input.current) input.current.value = ''
    setIsKey(found)
  }
  const error = isKey ? IS_KEY : actionData?.error
  return (
    <>
      <PageHead
        title="Registrar certificado"
        lead={<PageLink to={LIST}>Volver a Certificados</PageLink>}
      />
      <Sheets>
        <Sheet>
          <p className={css.lead}>
            Registre el certificado de su e.firma, con el RFC {loaderData.rfc}: así se le avisa
            antes de que venza, también si todavía no ha firmado con él. Solo se guarda la parte
            pública.
          </p>
          <PostForm encType="multipart/form-data" className={form.form} noValidate>
            <FileField
              ref={input}
              name="certificate"
              label="Certificado (.cer)"
              accept=".cer,.crt,.pem"
              help="Elija el archivo o suéltelo aquí. La clave privada (.key) no se necesita."
              required
              errors={error ? [error] : undefined}
              onChosen={refuseKey}
            />
            <SubmitButton>Registrar</SubmitButton>
          </PostForm>
        </Sheet>
      </Sheets>
    </>
  )
}
