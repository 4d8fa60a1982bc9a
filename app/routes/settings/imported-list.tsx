import { Badge } from '#app/ui/feedback/badge.tsx'
import { Hash } from '#app/ui/text/hash.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import type { ImportView } from './import-view.ts'
import css from './office.module.css'

/** Each certificate of a bundle and its result. */
export function ImportedList({ view }: { view: ImportView }) {
  return (
    <>
      <ul className={css.anchors}>
        {view.rows.map(({ sha256, name, word, tone, hasPage }) => (
          <li key={sha256}>
            <strong>
              {hasPage ? (
                <PageLink to={`/dashboard/settings/authorities/${sha256}`}>{name}</PageLink>
              ) : (
                name
              )}
            </strong>
            <Badge tone={tone}>{word}</Badge>
            <Hash value={sha256} />
          </li>
        ))}
      </ul>
      {view.cut && <p className={css.lead}>{view.cut}</p>}
      {view.unreadable.length > 0 && (
        <p className={css.lead}>No se pudo leer: {view.unreadable.join(', ')}.</p>
      )}
    </>
  )
}
