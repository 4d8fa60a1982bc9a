import { address } from '#app/ui/text/address.ts'
import { PageLink } from '#app/ui/text/page-link.tsx'
import css from './reports.module.css'
import { REPORTS_PATH } from './reports-path.ts'

type Props = {
  kind: string
  /** The filters of the page. */
  query: Record<string, string | undefined>
}

const FORMATS = [
  ['csv', 'CSV'],
  ['xlsx', 'Excel'],
  ['pdf', 'PDF'],
] as const

/** The files of a report, made at once. */
export function Downloads({ kind, query }: Props) {
  return (
    <p className={css.downloads}>
      <span>Descargar:</span>
      {FORMATS.map(([as, name]) => (
        <PageLink
          key={as}
          to={address(`${REPORTS_PATH}/${kind}/file`, { as, ...query })}
          reloadDocument
        >
          {name}
        </PageLink>
      ))}
    </p>
  )
}
