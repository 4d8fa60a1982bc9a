import { PageText } from './page-text.tsx'
import css from './reader.module.css'
import {
  partsAt,
  pictureAddress,
  pictureSet,
  type ReaderView,
  type ShownPage,
  sizesAt,
  turnedSize,
} from './reader-view.ts'

type Props = { view: ReaderView; page: ShownPage; isFirst: boolean }

/** For programs that know no sets of pictures. */
const USUAL_WIDTH = 800

/** One page: its picture, and behind the picture the text that the file holds. */
export function PageFigure({ view, page: shown, isFirst }: Props) {
  const { page, text } = shown
  const { state, pages } = view
  const size = turnedSize(shown, state.turn)
  const parts = partsAt(state.zoom)
  const name = `Página ${page} de ${pages}`
  return (
    <figure id={`pagina-${page}`} data-page={page} aria-label={name} className={css.figure}>
      <div
        className={css.paper}
        data-parts={parts.length}
        style={{ aspectRatio: `${size.width} / ${size.height}` }}
      >
        {parts.map(({ region }, index) => (
          <img
            key={region ?? 'whole'}
            src={pictureAddress(view, { page, width: USUAL_WIDTH, region })}
            srcSet={pictureSet(view, { page, region })}
            sizes={sizesAt(state)}
            alt={altOf(name, text, index)}
            width={Math.round(size.width)}
            height={Math.round(size.height)}
            loading={isFirst ? 'eager' : 'lazy'}
            fetchPriority={isFirst && index === 0 ? 'high' : 'auto'}
            decoding="async"
          />
        ))}
        <PageText page={shown} turn={state.turn} />
      </div>
      <figcaption>
        {name}
        {text === 'none' &&
          '. Es una imagen: no trae texto que se pueda buscar o leer en voz alta.'}
      </figcaption>
    </figure>
  )
}

/** The first part speaks for the page. */
function altOf(name: string, text: ShownPage['text'], index: number): string {
  if (index > 0) return ''
  return text === 'none' ? `${name}, imagen sin texto` : name
}
