import { data, redirect } from 'react-router'
import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { flash } from '#app/http/cookies/flash.ts'
import { readForm } from '#app/http/forms.ts'
import { orErrorPage, refusalOf } from '#app/http/problems.ts'
import { ActFact } from '#app/routes/signing/sessions/act-fact.tsx'
import { ProtocolNotice } from '#app/ui/document/protocol-notice.tsx'
import { Notice } from '#app/ui/feedback/notice.tsx'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { Sheets } from '#app/ui/frame/sheets.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { Fact, FactList } from '#app/ui/text/fact-list.tsx'
import { Icon } from '#app/ui/text/icon.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { Sha256, SigningSessionId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import { readOffice } from '#server/features/offices/read-office.ts'
import { openSigningSession } from '#server/features/signing-sessions/open-signing-session.ts'
import { reviewSigningSession } from '#server/features/signing-sessions/review-signing-session.ts'
import type { Route } from './+types/review'
import css from './review.module.css'
import { ReviewDocuments } from './review-documents.tsx'
import { ReviewSigners } from './review-signers.tsx'
import { type ReviewView, reviewView } from './review-view.ts'

const Form = z.object({ reviewed: Sha256 })

export const handle = { hydrate: true, label: 'Revisar y abrir' }

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `Revisar: ${loaderData?.title ?? 'sesión de firma'} · Rúbrica` },
]

export async function loader({ params, url, context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const signingSessionId = await orErrorPage(idOf(params.id))
  const { timeZone } = await orErrorPage(readOffice(system, actor))
  const chosen = url.searchParams.get('document')
  const work = reviewSigningSession(system, actor, { signingSessionId, chosen })
  const answer = await refusalOf(work)
  // It was opened meanwhile, or its last signer was removed: its page says so.
  if (!answer.ok && (answer.code === 'session-state' || answer.code === 'session-incomplete'))
    throw redirect(`/dashboard/signing/${signingSessionId}`)
  return reviewView(await orErrorPage(work), timeZone)
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const signingSessionId = await orErrorPage(idOf(params.id))
  const form = await orErrorPage(readForm(request, context, Form))
  if (!form.ok) return data({ refusal: 'Vuelva a abrir esta página y revísela de nuevo.' }, 422)
  const { reviewed } = form.value
  const page = `/dashboard/signing/${signingSessionId}`
  const work = openSigningSession(system, actor, { signingSessionId, reviewed })
  const answer = await refusalOf(work)
  if (answer.ok) return away(page, 'session-opened')
  // The page shows what there is to review now.
  if (answer.code === 'review-outdated') return away(`${page}/review`, 'review-outdated')
  if (answer.init.status === 403 || answer.init.status === 404) await orErrorPage(work)
  return data({ refusal: answer.sentence }, answer.init)
}

const away = (to: string, message: 'session-opened' | 'review-outdated') =>
  redirect(to, { status: 303, headers: { 'Set-Cookie': flash(message) } })

async function idOf(text: string): Promise<SigningSessionId> {
  const id = SigningSessionId.safeParse(text)
  if (!id.success) throw new Problem('not-found', 'no id of a signing session')
  return id.data
}

/** What the session will ask of its signers. Opening it is the second step, and names what this page showed. */
export default function ReviewSession({ loaderData: view, actionData }: Route.ComponentProps) {
  const page = `/dashboard/signing/${view.id}`
  return (
    <>
      <PageHead
        title="Revise antes de abrir la sesión"
        lead={
          <>
            Todavía no se ha avisado a nadie · <PageLink to={page}>{view.title}</PageLink>
          </>
        }
      />
      <Sheets>
        {actionData?.refusal && <Notice tone="bad">{actionData.refusal}</Notice>}
        <Oddities view={view} />
        <ProtocolNotice leavesProtocol={view.act?.leavesProtocol ?? false} />
        <ReviewSigners signers={view.signers} />
        <ReviewDocuments view={view} />
        <Sheet title="Así quedará la hoja">
          <SheetPictures view={view} />
        </Sheet>
        <Sheet title="Lo que se avisa">
          <FactList>
            <Fact name="Título">{view.title}</Fact>
            <Fact name="Acto">{view.act && <ActFact act={view.act} />}</Fact>
            <Fact name="Fecha límite">{view.deadline ?? 'Sin fecha límite'}</Fact>
            <Fact name="Mensaje">
              {view.message && <span className={css.message}>{view.message}</span>}
            </Fact>
            <Fact name="Lo pide">{view.author}</Fact>
          </FactList>
        </Sheet>
        <Sheet title="Abrir">
          <p className={css.quiet}>
            Al abrirla, cada documento recibe su hoja de firmas y queda reservado para esta sesión;
            se avisa a quienes firman primero. Después ya no se cambian los documentos ni el orden.
          </p>
          <div className={css.ways}>
            <PostForm action={`/dashboard/signing/${view.id}/review`}>
              <input type="hidden" name="reviewed" value={view.digest} />
              <SubmitButton leftSection={<Icon name="sign" />}>Abrir sesión</SubmitButton>
            </PostForm>
            <PageLink to={page}>Volver y corregir</PageLink>
          </div>
        </Sheet>
      </Sheets>
    </>
  )
}

function Oddities({ view: { oddities } }: { view: ReviewView }) {
  if (oddities.length === 0)
    return (
      <Notice tone="good" isLive={false}>
        No se encontró nada fuera de lo común. Revise los nombres y los RFC de todos modos.
      </Notice>
    )
  return (
    <Notice tone="wait" title="Antes de abrirla, mire esto" isLive={false}>
      <ul className={css.odd}>
        {oddities.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </Notice>
  )
}

function SheetPictures({ view: { sheet, documents } }: { view: ReviewView }) {
  if (!sheet)
    return (
      <p className={css.quiet}>
        {documents.some(({ hasSheet }) => hasSheet)
          ? 'No se pudo leer el archivo para dibujarla.'
          : 'Ningún documento recibe hoja de firmas: ya traen firmas, y una página nueva las rompería.'}
      </p>
    )
  return (
    <>
      <p className={css.quiet}>La de “{sheet.title}”, con los lugares todavía sin firmar.</p>
      {sheet.pictures.map((address, index) => (
        <img
          key={address}
          className={css.sheet}
          src={address}
          width={sheet.width}
          height={sheet.height}
          alt={`Hoja de firmas ${index + 1} de ${sheet.pictures.length} de ${sheet.title}`}
          loading="lazy"
        />
      ))}
    </>
  )
}
