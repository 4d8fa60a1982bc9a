import { PageLink } from '#app/ui/text/page-link.tsx'
import css from './reader.module.css'
import { linkTo, pictureAddress, type ReaderView } from './reader-view.ts'

/** Of one view. */
const THUMBNAILS = 12
const WIDTH = 160

/** They are below the pages: at the top of the reader, one would not see that they came. */
const shownBy = (link: string) => link.replace('#lector', '#miniaturas')

/** Small pictures of the pages around this one, each a link to its page. They come when they are asked for. */
export function Thumbnails({ view }: { view: ReaderView }) {
  const { pages, state } = view
  if (pages <= view.shown.length) return null
  if (!state.hasThumbnails)
    return (
      <p className={css.thumbnails}>
        <PageLink to={shownBy(linkTo(state, { hasThumbnails: true }))}>
          Miniaturas de las páginas
        </PageLink>
      </p>
    )
  const first = Math.floor((state.page - 1) / THUMBNAILS) * THUMBNAILS + 1
  const count = Math.min(THUMBNAILS, pages - first + 1)
  return (
    <nav id="miniaturas" className={css.thumbnails} aria-label="Miniaturas">
      <p>
        Miniaturas de las páginas {first} a {first + count - 1} ·{' '}
        <PageLink to={linkTo(state, { hasThumbnails: false })}>Ocultarlas</PageLink>
      </p>
      <ul>
        {Array.from({ length: count }, (_, index) => first + index).map((page) => (
          <li key={page}>
            <PageLink
              to={linkTo(state, { page })}
              aria-current={page === state.page ? 'page' : undefined}
            >
              <img
                src={pictureAddress(view, { page, width: WIDTH })}
                alt={`Página ${page}`}
                width={WIDTH}
                height={Math.round(WIDTH * 1.3)}
                loading="lazy"
                decoding="async"
              />
              <span aria-hidden="true">{page}</span>
            </PageLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}
