import { data, redirect } from 'react-router'
import { z } from 'zod'
import { systemContext } from '#app/http/context.ts'
import { flash } from '#app/http/cookies/flash.ts'
import { readForm } from '#app/http/forms.ts'
import { orErrorPage, refusalOnPage } from '#app/http/problems.ts'
import { safeReturnUrl } from '#app/http/return-url.ts'
import { documentRequest } from '#app/routes/documents/document-request.ts'
import { Notice } from '#app/ui/feedback/notice.tsx'
import form from '#app/ui/forms/form.module.css'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { RadioField } from '#app/ui/forms/radio-field.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { StampChoice } from '#server/domain/documents/stamp-choice.ts'
import {
  chooseStampPlace,
  ReadStampPlaces,
  readStampPlaces,
} from '#server/features/documents/choose-stamp-place.ts'
import type { Route } from './+types/stamp-page'
import css from './stamp-page.module.css'
import { StampPicture } from './stamp-picture.tsx'
import { type StampView, stampView } from './stamp-view.ts'

const AUTOMATIC = 'automatic'
const CHOOSE = 'Elija uno de los lugares.'

/** `850,940`: the middle of the place, in thousandths of the page. */
const Fields = z
  .object({
    pagina: StampChoice.shape.page,
    place: z.string(CHOOSE).regex(/^(?:automatic|\d{1,4},\d{1,4})$/, CHOOSE),
  })
  .transform(({ pagina: page, place }, context) => {
    if (place === AUTOMATIC) return null
    const [x, y] = place.split(',')
    const choice = StampChoice.safeParse({ page, x, y })
    if (choice.success) return choice.data
    context.addIssue({ code: 'custom', path: ['place'], message: CHOOSE })
    return z.NEVER
  })

export const handle = { hydrate: true, label: 'Lugar de la firma' }

export const meta: Route.MetaFunction = () => [{ title: 'Lugar de la firma · Rúbrica' }]

export async function loader({ params, url, context }: Route.LoaderArgs) {
  const { system, actor, documentId } = await orErrorPage(documentRequest(params, context))
  const asked = Object.fromEntries(url.searchParams)
  const pointed = { x: asked.x, y: asked.y }
  const input = ReadStampPlaces.parse({ documentId, page: asked.pagina, pointed })
  const places = await orErrorPage(readStampPlaces(system, actor, input))
  const returnUrl = backFrom(url, documentId, context.get(systemContext).settings)
  return { ...stampView(places, input.pointed !== undefined), returnUrl }
}

export async function action({ request, params, url, context }: Route.ActionArgs) {
  const { system, actor, documentId } = await orErrorPage(documentRequest(params, context))
  const read = await orErrorPage(readForm(request, context, Fields))
  if (!read.ok) return data({ refusal: CHOOSE }, 422)
  const answer = await refusalOnPage(
    chooseStampPlace(system, actor, { documentId, choice: read.value }),
  )
  if (!answer.ok) return data({ refusal: answer.sentence }, answer.init)
  return redirect(backFrom(url, documentId, system.settings), {
    status: 303,
    headers: { 'Set-Cookie': flash('stamp-placed') },
  })
}

/** The page from which the user came: the document or the review of a session. */
const backFrom = (url: URL, id: string, { publicOrigin }: { publicOrigin: string }) =>
  safeReturnUrl(url.searchParams.get('returnUrl'), publicOrigin, `/dashboard/documents/${id}`)

export default function StampPage({ loaderData: view, actionData }: Route.ComponentProps) {
  return (
    <>
      <PageHead
        title="Lugar de la firma"
        lead={
          <>
            {view.title} · <PageLink to={view.returnUrl}>Volver</PageLink>
          </>
        }
      />
      {view.isImpossible ? (
        <Sheet>
          <p>{view.forecast}</p>
        </Sheet>
      ) : (
        <div className={css.columns}>
          <div className={css.page}>
            <Turning view={view} />
            <StampPicture view={view} />
          </div>
          <Sheet title="¿Dónde se verá la firma?">
            <Choice view={view} refusal={actionData?.refusal} />
          </Sheet>
        </div>
      )}
    </>
  )
}

type Shown = StampView & { returnUrl: string }

/** To other pages; everything else of the address starts again. */
function Turning({ view: { shown, pages, returnUrl } }: { view: Shown }) {
  const to = (page: number) => `?pagina=${page}&returnUrl=${encodeURIComponent(returnUrl)}`
  return (
    <div className={css.turning}>
      {shown > 1 && <PageLink to={to(shown - 1)}>Página anterior</PageLink>}
      <form method="get" className={css.jump}>
        <input type="hidden" name="returnUrl" value={returnUrl} />
        <label htmlFor="stamp-page">Página</label>
        <input
          id="stamp-page"
          name="pagina"
          type="number"
          min={1}
          max={pages}
          defaultValue={shown}
          key={shown}
        />
        <span>de {pages}</span>
        <button type="submit">Ver página</button>
      </form>
      {shown < pages && <PageLink to={to(shown + 1)}>Página siguiente</PageLink>}
    </div>
  )
}

function Choice({ view, refusal }: { view: Shown; refusal: string | undefined }) {
  const { shown, offered, pointed, isPointedFull, isChosen, returnUrl } = view
  const chosen = isChosen ? view.now : null
  return (
    <PostForm
      action={`/dashboard/documents/${view.id}/stamp?pagina=${shown}&returnUrl=${encodeURIComponent(returnUrl)}`}
      className={form.form}
    >
      {refusal && <Notice tone="bad">{refusal}</Notice>}
      {isPointedFull && (
        <Notice tone="wait">
          En esta página no hay un lugar que con seguridad esté en blanco.
        </Notice>
      )}
      <p>
        Este documento llegó firmado: no recibe hoja de firmas. Cada firma nueva se ve como un sello
        en un lugar en blanco, y nunca sobre el contenido. {view.forecast}
      </p>
      <input type="hidden" name="pagina" value={shown} />
      <fieldset className={css.places}>
        <legend>Lugares en blanco de la página {shown}</legend>
        {offered.map(({ value, words }, index) => (
          <RadioField
            key={`${shown} ${value}`}
            id={`place-${index + 1}`}
            name="place"
            value={value}
            label={`${index + 1}. ${words[0]?.toUpperCase()}${words.slice(1)}`}
          />
        ))}
        {offered.length === 0 && <p>Ninguno. Vea otra página.</p>}
        {chosen && (
          <RadioField
            key={`${shown} chosen ${chosen.value}`}
            id="place-chosen"
            name="place"
            value={chosen.value}
            label="El que ya está elegido"
            help="Está marcado en la página."
            defaultChecked={!pointed}
          />
        )}
        {pointed && (
          <RadioField
            key={`${shown} pointed ${pointed.value}`}
            id="place-pointed"
            name="place"
            value={pointed.value}
            label="Donde señaló"
            help="Es el lugar en blanco más cercano; está marcado en la página."
            defaultChecked
          />
        )}
        <RadioField
          id="place-automatic"
          name="place"
          value={AUTOMATIC}
          label="El que encuentre el programa"
          help="El más bajo, en las últimas páginas."
          defaultChecked={!pointed && !isChosen}
        />
      </fieldset>
      <p className={css.quiet}>
        Si firman varias personas, las siguientes quedan en los lugares en blanco más cercanos.
      </p>
      <SubmitButton>Guardar lugar</SubmitButton>
    </PostForm>
  )
}
