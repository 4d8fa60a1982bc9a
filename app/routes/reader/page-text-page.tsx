import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { noStore } from '#app/http/page-headers.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { Notice } from '#app/ui/feedback/notice.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { Problem } from '#server/domain/problem.ts'
import { MOST_PAGES, ReadPages, readPages } from '#server/features/documents/read-pages.ts'
import type { Route } from './+types/page-text-page'
import css from './page-text-page.module.css'

export const handle = { label: 'Texto del documento' }

export const meta: Route.MetaFunction = () => [{ title: 'Texto del documento · Rúbrica' }]

export const headers = noStore

const Asked = z.object({
  version: ReadPages.shape.version,
  pagina: z.coerce.number().int().positive().default(1),
})

/** The text of up to fifty pages, for reading aloud and for reading in large letters. */
export async function loader({ params, url, context }: Route.LoaderArgs) {
  const asked = Asked.safeParse(Object.fromEntries(url.searchParams))
  const { version, pagina: first } = asked.data ?? { version: 0, pagina: 1 }
  const read = await orErrorPage(find())
  const next = first + read.pages.length
  return {
    document: url.pathname.replace(/\/text$/, ''),
    version,
    first,
    pageCount: read.pageCount,
    pages: read.pages.map(({ page, text }) => ({
      page,
      isCut: text?.isCut ?? false,
      lines: text?.lines.map((line) => line.text),
    })),
    next: read.pages.length > 0 && next <= read.pageCount ? next : null,
  }

  async function find() {
    const wanted = { documentId: params.id, version, first, count: MOST_PAGES, purpose: 'text' }
    const input = ReadPages.safeParse(wanted)
    if (!input.success) throw new Problem('not-found', 'no pages of a version')
    return readPages(context.get(systemContext), context.get(actorContext), input.data)
  }
}

export default function PageTextPage({ loaderData }: Route.ComponentProps) {
  const { document, version, first, pageCount, pages, next } = loaderData
  return (
    <>
      <PageHead
        title="Texto del documento"
        lead={
          <>
            Páginas {first} a {first + Math.max(pages.length - 1, 0)} de {pageCount} ·{' '}
            <PageLink to={document}>Volver al documento</PageLink>
          </>
        }
      />
      <Notice tone="note" isLive={false}>
        Es el texto que el archivo trae detrás de la imagen de cada página; puede no coincidir con
        lo que se ve. Se firma el archivo, con lo que muestran sus páginas.
      </Notice>
      <div className={css.pages}>
        {pages.map(({ page, lines, isCut }) => (
          <section key={page} aria-labelledby={`texto-${page}`}>
            <h2 id={`texto-${page}`}>Página {page}</h2>
            <PageLines lines={lines} />
            {isCut && <p>… y más texto, que no cabe aquí.</p>}
          </section>
        ))}
      </div>
      {next !== null && (
        <p>
          <PageLink to={`?version=${version}&pagina=${next}`}>Páginas siguientes</PageLink>
        </p>
      )}
    </>
  )
}

function PageLines({ lines }: { lines: string[] | undefined }) {
  if (!lines) return <p>El texto de esta página no se pudo leer ahora. Recargue la página.</p>
  if (lines.length === 0)
    return <p>Esta página es una imagen: no trae texto que se pueda buscar o leer en voz alta.</p>
  return <p className={css.lines}>{lines.join('\n')}</p>
}
