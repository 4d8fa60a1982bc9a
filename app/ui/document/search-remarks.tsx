import { Notice } from '#app/ui/feedback/notice.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import css from './search-remarks.module.css'

/** After an upgrade, while the texts of older documents are still written. */
export const SearchInPreparation = () => (
  <Notice tone="wait">
    La búsqueda se está preparando: dentro de unos minutos encontrará todos los documentos.
  </Notice>
)

/** Above documents that have no more than words similar to those that were searched. */
export const SimilarResults = () => <h2 className={css.similar}>Resultados parecidos</h2>

type Props = {
  of: 'documentos' | 'borradores' | 'certificados'
  goOn: 'los anteriores' | 'los siguientes'
  /** Where they are; absent on a page whose form has a button for them. */
  to?: string | undefined
}

/** Below a page that has fewer documents than there are, because the search took long. */
export const SearchCutShort = ({ of, goOn, to }: Props) => (
  <Notice tone="wait">
    Hay más {of} por revisar. Afine la búsqueda con otra palabra o un número, o siga con{' '}
    {to === undefined ? goOn : <PageLink to={to}>{goOn}</PageLink>}.
  </Notice>
)
