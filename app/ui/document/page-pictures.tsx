import css from './page-pictures.module.css'

/* Letter size; pages of another size fit inside. */
const WIDTH = 800
const HEIGHT = 1035

type Props = {
  document: {
    /** Address of the document's page; the pictures are below it. */
    address: string
    pages: number
    version: number
  }
}

/** The pages as rendered by the server: alike in every browser, without scripts. */
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
