import { Notice } from '#app/ui/feedback/notice.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { ButtonLink } from '#app/ui/text/button-link.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import css from './versions.module.css'
import type { ComparisonView, PartView } from './versions-view.ts'

type Compared = ComparisonView & { from: number; to: number }

type Props = {
  compared: Compared
  /** The address of the places behind so many. */
  at: (behind: number) => string
  path: string
}

/** What changed in the text from one version to another. */
export function Comparison({ compared, at, path }: Props) {
  const { from, to } = compared
  return (
    <Sheet title={`De la versión ${from} a la ${to}`}>
      {compared.kind === 'compared' ? (
        <Changes compared={compared} at={at} />
      ) : (
        <p>
          {OUTCOMES[compared.kind]}{' '}
          {compared.kind !== 'identical' && (
            <>
              Descárguelas para compararlas en otro programa:{' '}
              <PageLink to={`${path}/download/${from}`}>versión {from}</PageLink> y{' '}
              <PageLink to={`${path}/download/${to}`}>versión {to}</PageLink>.
            </>
          )}
        </p>
      )}
    </Sheet>
  )
}

const OUTCOMES = {
  identical: 'Son el mismo archivo, byte por byte.',
  'too-different': 'Son demasiado distintas para compararlas línea por línea.',
  'too-complex': 'No se pudieron leer a tiempo para compararlas aquí.',
} as const

type Changed = Extract<Compared, { kind: 'compared' }>

function Changes({ compared, at }: { compared: Changed; at: Props['at'] }) {
  const { places, count, isCut, blank, pages, newer, older } = compared
  const hasNoText = blank.before.length === pages.before && blank.after.length === pages.after
  return (
    <>
      {hasNoText ? (
        <Notice tone="wait" isLive={false}>
          Ninguna de las dos tiene texto: sus páginas son imágenes, que aquí no se comparan.
        </Notice>
      ) : (
        <p className={css.scope}>
          {sentenceOf(count, isCut)} Se compara el texto que traen los archivos, que puede no
          coincidir con lo que se ve; no se comparan imágenes, firmas ni diseño.
        </p>
      )}
      <BlankPages blank={blank} hasNoText={hasNoText} />
      {count > 0 && (
        <p className={css.scope}>
          <del>Tachado</del>: se quitó. <ins>Subrayado</ins>: se agregó.
        </p>
      )}
      <ol className={css.places}>
        {places.map(({ number, title, parts }) => (
          <li key={number}>
            <h3>{title}</h3>
            <p>
              {parts.map((part) => (
                <Part key={part.number} part={part} />
              ))}
            </p>
          </li>
        ))}
      </ol>
      {(newer !== null || older !== null) && (
        <nav className={css.paging} aria-label="Más diferencias">
          {newer !== null && (
            <ButtonLink to={at(newer)} variant="default">
              Diferencias anteriores
            </ButtonLink>
          )}
          {older !== null && (
            <ButtonLink to={at(older)} variant="default">
              Diferencias siguientes
            </ButtonLink>
          )}
        </nav>
      )}
    </>
  )
}

function sentenceOf(count: number, isCut: boolean): string {
  if (isCut)
    return `Hay más de ${count.toLocaleString('es-MX')} diferencias; se muestran las primeras.`
  if (count === 0) return 'El texto no cambió.'
  return count === 1 ? 'Hay una diferencia.' : `Hay ${count.toLocaleString('es-MX')} diferencias.`
}

/** Pages of which nothing is compared, if others have text. */
function BlankPages({ blank, hasNoText }: { blank: Changed['blank']; hasNoText: boolean }) {
  const of = (numbers: readonly number[], version: string) =>
    numbers.length > 0 && `${listed(numbers)} de la versión ${version}`
  const named = [of(blank.before, 'anterior'), of(blank.after, 'nueva')].filter(Boolean)
  if (named.length === 0 || hasNoText) return null
  return (
    <Notice tone="wait" isLive={false}>
      Sin texto que comparar, como las páginas escaneadas: {named.join('; ')}.
    </Notice>
  )
}

const MOST_NAMED = 12

const listed = (numbers: readonly number[]) => {
  const shown = numbers.slice(0, MOST_NAMED).map(String)
  const rest = numbers.length - shown.length
  const all = rest > 0 ? [...shown, `${rest} más`] : shown
  const word = numbers.length === 1 ? 'la página' : 'las páginas'
  return `${word} ${new Intl.ListFormat('es-MX').format(all)}`
}

/** Marked by more than colour: struck or underlined, and said to screen readers. */
function Part({ part: { kind, text } }: { part: PartView }) {
  if (kind === 'same') return <>{text} </>
  const Mark = kind === 'added' ? 'ins' : 'del'
  return (
    <>
      <span className="visually-hidden">{kind === 'added' ? '[se agregó: ' : '[se quitó: '}</span>
      <Mark>{text}</Mark>
      <span className="visually-hidden">]</span>{' '}
    </>
  )
}
