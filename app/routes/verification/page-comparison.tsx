import css from './page-comparison.module.css'
import type { ComparisonView } from './upload-view.ts'

/** The pages changed after a signature: as signed, beside the current state. */
export function PageComparisons({ pages }: { pages: readonly ComparisonView[] }) {
  if (pages.length === 0) return null
  return (
    <section>
      <h2>Cómo se firmó y cómo está ahora</h2>
      {pages.map(({ page, before, after }) => (
        <div key={page}>
          <h3>Página {page}</h3>
          <div className={css.pair}>
            <Picture caption="Como se firmó" page={page} source={before} />
            <Picture caption="Como está ahora" page={page} source={after} />
          </div>
        </div>
      ))}
    </section>
  )
}

type PictureProps = { caption: string; page: number; source: string | null }

function Picture({ caption, page, source }: PictureProps) {
  return (
    <figure className={css.figure}>
      <figcaption>{caption}</figcaption>
      {source ? (
        <img src={source} alt={`Página ${page}: ${caption.toLowerCase()}`} className={css.page} />
      ) : (
        <p className={css.none}>No hay una página que se pueda mostrar.</p>
      )}
    </figure>
  )
}
