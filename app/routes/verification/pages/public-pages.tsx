import { actorContext, systemContext } from '#app/http/context.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { readPublicPages } from '#server/features/verification/read-public-pages.ts'
import type { Route } from './+types/public-pages'
import css from './public-pages.module.css'

export const meta: Route.MetaFunction = () => [{ title: 'Páginas del documento · Rúbrica' }]

export const headers: Route.HeadersFunction = () => ({ 'X-Robots-Tag': 'noindex' })

export async function loader({ params, url, context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const found = await orErrorPage(readPublicPages(system, actor, { id: params.uuid }))
  const { document, version } = found
  const asked = Math.floor(Number(url.searchParams.get('pagina'))) || 1
  return {
    id: document.id as string,
    folio: document.folio,
    pages: version.pages,
    page: Math.max(1, Math.min(asked, version.pages)),
  }
}

/** The pages of the signed document, one at a time, to compare with the paper. */
export default function PublicPages({
  loaderData: { id, folio, pages, page },
}: Route.ComponentProps) {
  const picture = (width: number) => `/verify/${id}/pages/${page}.png?width=${width}`
  return (
    <div className={css.page}>
      <h1>Páginas del documento</h1>
      <p>
        Folio {folio}. Compare cada página con su papel: el texto, los números y los nombres deben
        ser iguales. Si algo difiere, el papel no es de este documento.
      </p>
      <p className={css.quiet}>
        Se muestran con el consentimiento de quienes firmaron.{' '}
        <a href={`/verify/${id}`}>Volver a la verificación</a>
      </p>
      <Turning id={id} page={page} pages={pages} />
      <img
        className={css.picture}
        src={picture(1000)}
        srcSet={`${picture(640)} 640w, ${picture(1000)} 1000w`}
        sizes="(width < 48em) 92vw, 800px"
        alt={`Página ${page} de ${pages} del documento firmado`}
      />
      <Turning id={id} page={page} pages={pages} />
    </div>
  )
}

function Turning({ id, page, pages }: { id: string; page: number; pages: number }) {
  const to = (other: number) => `/verify/${id}/pages?pagina=${other}`
  return (
    <nav className={css.turning} aria-label="Páginas">
      {page > 1 && <a href={to(page - 1)}>Anterior</a>}
      <span>
        Página {page} de {pages}
      </span>
      {page < pages && <a href={to(page + 1)}>Siguiente</a>}
    </nav>
  )
}
