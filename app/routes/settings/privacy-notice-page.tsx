import { data, redirect } from 'react-router'
import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { flash } from '#app/http/cookies/flash.ts'
import { type FormErrors, readForm } from '#app/http/forms.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { orStepUpPage, requireRecentProof } from '#app/http/step-up.ts'
import { withSentence } from '#app/http/with-sentence.ts'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { TextAreaField } from '#app/ui/forms/text-area-field.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { Sheets } from '#app/ui/frame/sheets.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { address } from '#app/ui/text/address.ts'
import { Hash } from '#app/ui/text/hash.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { Time } from '#app/ui/text/time.tsx'
import {
  NoticeText,
  noticeFromText,
  type PrivacyNotice,
} from '#server/domain/identity/privacy-notice.ts'
import { formatInstant } from '#server/domain/time.ts'
import { changePrivacyNotice } from '#server/features/offices/change-privacy-notice.ts'
import { readPrivacyNotices } from '#server/features/offices/read-privacy-notices.ts'
import type { Route } from './+types/privacy-notice-page'
import css from './office.module.css'
import own from './privacy-notice-page.module.css'

const { short, full } = NoticeText.shape
/* No `maxLength` attribute: browsers silently truncate pasted text. */
const Fields = z.object({
  short: withSentence(short, 'Escriba el aviso simplificado, hasta 5,000 caracteres.'),
  full: withSentence(full, 'Escriba el aviso integral, hasta 20,000 caracteres.'),
  intent: z.enum(['preview', 'publish']).default('publish'),
})

export const handle = { hydrate: true, label: 'Aviso de privacidad' }

export const meta: Route.MetaFunction = () => [{ title: 'Aviso de privacidad · Rúbrica' }]

export async function loader({ url, context }: Route.LoaderArgs) {
  requireRecentProof({ context, url })
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const read = await orErrorPage(readPrivacyNotices(system, actor))
  const { office, ofSystem, written, ofSystemAccepted } = read
  return {
    published: `/privacy/${office.id}`,
    ofSystemAccepted: ofSystemAccepted.map(({ sha256, accepted }) => ({
      ...{ sha256: sha256 as string, accepted },
    })),
    text: written[0]?.text ?? ofSystem,
    ofSystem,
    versions: written.map(({ version, text, sha256, at, author, accepted }) => ({
      ...{ version, text, author, accepted },
      sha256: sha256 as string,
      made: { at, text: formatInstant(at, office.timeZone) },
    })),
  }
}

type Answer = {
  errors?: FormErrors
  values?: Record<string, string>
  /** How the text would look. */
  preview?: Pick<PrivacyNotice, 'short' | 'full'>
}

export async function action({ request, url, context }: Route.ActionArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const read = await orErrorPage(readForm(request, context, Fields))
  if (!read.ok) return data<Answer>({ errors: read.errors, values: read.values }, 422)
  const { intent, ...text } = read.value
  if (intent === 'preview') {
    const { short, full } = noticeFromText(text)
    return data<Answer>({ values: text, preview: { short, full } })
  }
  await orStepUpPage({ request, url, context }, changePrivacyNotice(system, actor, text))
  return redirect('/dashboard/settings/privacy', {
    status: 303,
    headers: { 'Set-Cookie': flash('privacy-notice-changed') },
  })
}

export default function PrivacyNoticePage({ loaderData, actionData }: Route.ComponentProps) {
  const { text, ofSystem, ofSystemAccepted, versions, published } = loaderData
  const { errors, values, preview }: Answer = actionData ?? {}
  const shown = values ?? text
  const isOfSystem = versions.length === 0
  return (
    <>
      <PageHead
        title="Aviso de privacidad"
        lead={<PageLink to="/dashboard/settings">Volver a Configuración</PageLink>}
      />
      <Sheets>
        <Sheet>
          <p className={css.lead}>
            Lo leen y aceptan los firmantes externos antes de ver sus documentos. Con cada
            aceptación se guardan el texto y su SHA-256; las versiones anteriores se conservan. Si
            lo cambia, se muestra el nuevo a quien todavía no haya aceptado.
            {isOfSystem && ' Este es el texto del sistema, con los datos de la notaría.'} Cualquiera
            lo lee en <PageLink to={published}>su página pública</PageLink>.
          </p>
          <PostForm className={own.form} noValidate key={versions.length}>
            <TextAreaField
              name="short"
              label="Aviso simplificado"
              help="El que está junto al botón de aceptar. Separe los párrafos con una línea vacía."
              rows={10}
              defaultValue={shown.short ?? ''}
              errors={errors?.short}
            />
            <TextAreaField
              name="full"
              label="Aviso integral"
              help="El que se abre desde el simplificado. Escriba “# ” antes de cada título."
              rows={24}
              defaultValue={shown.full ?? ''}
              errors={errors?.full}
            />
            <div className={own.actions}>
              <SubmitButton name="intent" value="publish">
                Guardar aviso
              </SubmitButton>
              <SubmitButton name="intent" value="preview" variant="default">
                Ver cómo queda
              </SubmitButton>
            </div>
          </PostForm>
        </Sheet>
        {preview && <Preview preview={preview} />}
        {!isOfSystem && (
          <Sheet title="Texto del sistema">
            <p className={css.lead}>
              El que había antes de escribir uno propio, con los datos de hoy de la notaría.
            </p>
            <PostForm>
              <input type="hidden" name="short" value={ofSystem.short} />
              <input type="hidden" name="full" value={ofSystem.full} />
              <SubmitButton variant="default">Volver al texto del sistema</SubmitButton>
            </PostForm>
          </Sheet>
        )}
        {!isOfSystem && (
          <Sheet title="Versiones">
            <ol className={own.versions} reversed>
              {versions.map((version) => (
                <li key={version.version}>
                  <strong>Versión {version.version}</strong>
                  <span>
                    <Time at={version.made.at}>{version.made.text}</Time> · {version.author}
                  </span>
                  <span>
                    SHA-256 <Hash value={version.sha256} />
                  </span>
                  <Accepted accepted={version.accepted} sha256={version.sha256} />
                  <details>
                    <summary>Ver el texto</summary>
                    <pre>
                      {version.text.short}
                      {'\n\n'}
                      {version.text.full}
                    </pre>
                  </details>
                </li>
              ))}
            </ol>
          </Sheet>
        )}
        {ofSystemAccepted.length > 0 && (
          <Sheet title="Textos del sistema que se aceptaron">
            <ul className={own.versions}>
              {ofSystemAccepted.map(({ sha256, accepted }) => (
                <li key={sha256}>
                  <PageLink to={address(published, { text: sha256 })}>Leer el texto</PageLink>
                  <span>
                    SHA-256 <Hash value={sha256} />
                  </span>
                  <Accepted accepted={accepted} sha256={sha256} />
                </li>
              ))}
            </ul>
          </Sheet>
        )}
      </Sheets>
    </>
  )
}

function Accepted({ accepted, sha256 }: { accepted: number; sha256: string }) {
  if (accepted === 0) return <span>Todavía nadie lo ha aceptado.</span>
  const count =
    accepted === 1
      ? 'Lo aceptó una persona'
      : `Lo aceptaron ${accepted.toLocaleString('es-MX')} firmantes`
  return (
    <span>
      {count}.{' '}
      <PageLink to={address('/dashboard/consents', { notice: sha256 })}>Ver quiénes</PageLink>
    </span>
  )
}

/** The text as signers would read it; it is not published yet. */
function Preview({ preview: { short, full } }: { preview: NonNullable<Answer['preview']> }) {
  return (
    <Sheet title="Así quedaría">
      <div className={own.preview} role="status">
        <p>Todavía no se publica. Si está bien, oprima “Guardar aviso”.</p>
        <h3>Aviso simplificado</h3>
        {short.map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
        {full.map(({ title, paragraphs }) => (
          <section key={title}>
            <h3>{title}</h3>
            {paragraphs.map((paragraph) => (
              <p key={paragraph}>{paragraph}</p>
            ))}
          </section>
        ))}
      </div>
    </Sheet>
  )
}
