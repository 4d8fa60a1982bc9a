import { data } from 'react-router'
import { useHydrated } from 'remix-utils/use-hydrated'
import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { readForm, UploadedFile } from '#app/http/forms.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { FileField } from '#app/ui/forms/file-field.tsx'
import form from '#app/ui/forms/form.module.css'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { useNonce } from '#app/ui/frame/nonce.ts'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { Sheets } from '#app/ui/frame/sheets.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import type { DescribedFile } from '#server/domain/efirma/describe-file.ts'
import { describeFile } from '#server/features/certificates/describe-file.ts'
import { readOffice } from '#server/features/offices/read-office.ts'
import type { Route } from './+types/file'
import { ChosenFiles } from './chosen-files.tsx'
import css from './file.module.css'
import { FileDescription } from './file-description.tsx'

export const handle = { hydrate: true, label: '¿Qué es este archivo?' }

export const meta: Route.MetaFunction = () => [{ title: '¿Qué es este archivo? · Rúbrica' }]

const DescribeForm = z.object({ certificate: UploadedFile.transform(({ bytes }) => bytes) })

export async function loader({ context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const { timeZone } = await orErrorPage(readOffice(system, actor))
  return { zone: timeZone, now: system.clock.now() }
}

type Answer = { error: string } | { file: DescribedFile }

export async function action({ request, context }: Route.ActionArgs) {
  const read = await orErrorPage(readForm(request, context, DescribeForm))
  if (!read.ok || read.value.certificate.length === 0)
    return data<Answer>({ error: 'Elija un archivo .cer que no esté vacío.' }, 422)
  const asked = describeFile(context.get(systemContext), context.get(actorContext), {
    file: read.value.certificate,
  })
  return data<Answer>({ file: await orErrorPage(asked) })
}

export default function DescribeFilePage({ loaderData, actionData }: Route.ComponentProps) {
  const { zone, now } = loaderData
  const nonce = useNonce()
  const answer: Partial<Sent> = actionData ?? {}
  const isHydrated = useHydrated()
  return (
    <>
      <PageHead
        title="¿Qué es este archivo?"
        lead={<PageLink to="/dashboard/certificates">Volver a Certificados</PageLink>}
      />
      <Sheets>
        <Sheet>
          <div data-needs-scripts>
            <ChosenFiles zone={zone} now={now} />
          </div>
          <noscript>
            {/* Browsers of 2023 lack the media feature "scripting". */}
            <style nonce={nonce}>{'[data-needs-scripts]{display:none}'}</style>
          </noscript>
          {!isHydrated && <SentFile answer={answer} zone={zone} />}
        </Sheet>
      </Sheets>
    </>
  )
}

type Sent = { error: string; file: DescribedFile }

/** Without scripts the server reads a certificate. Only there is a field with a name. */
function SentFile({ answer, zone }: { answer: Partial<Sent>; zone: string }) {
  return (
    <div className={css.sent}>
      <p className={css.lead}>
        Elija un certificado (.cer): el servidor lo lee y no lo guarda. Una clave privada no debe
        enviarse a nadie: para saber qué es, abra esta página en un navegador que ejecute programas
        (JavaScript); ahí se lee sin salir de su equipo.
      </p>
      <PostForm encType="multipart/form-data" className={form.form} noValidate>
        <FileField
          name="certificate"
          label="Certificado (.cer)"
          accept=".cer,.crt,.pem"
          required
          errors={answer.error ? [answer.error] : undefined}
        />
        <SubmitButton>Ver qué es</SubmitButton>
      </PostForm>
      {answer.file && <FileDescription file={answer.file} zone={zone} wasSent />}
    </div>
  )
}
