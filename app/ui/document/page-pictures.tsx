import css from './page-pictures.module.css'

/* The shape of a letter page; a page of another shape stands in it whole. */
const WIDTH = 800
const HEIGHT = 1035

type Props = {
  document: {
    /** Of the document's page; the pictures are below it. */
    address: string
    pages: number
    version: number
  }
}

/** The pages as the server draws them: the same everywhere, without scripts. */
export function PagePictures({ document }: Props) {
  const { address, pages, version } = document
  if (pages === 0) return <p>Este documento no tiene páginas que mostrar.</p>
  return (
    <section aria-label="Páginas" className={css.pages}>
      {Array.from({ length: pages }, (_, index) => index + 1).map((page) => (
        <figure key={page}>
          <img
            src={`${address}/pages/${page}.png?version=${version}`}
            alt={`Página ${page} de ${pages}`}
            width={WIDTH}
            height={HEIGHT}
            loading={page === 1 ? 'eager' : 'lazy'}
            decoding="async"
          />
          <figcaption>
            Página {page} de {pages}
          </figcaption>
        </figure>
      ))}
    </section>
  )
}
