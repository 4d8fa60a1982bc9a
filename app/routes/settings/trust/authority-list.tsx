import type { AuthorityView } from '#app/routes/settings/authority-view.ts'
import css from '#app/routes/settings/office.module.css'
import { Badge } from '#app/ui/feedback/badge.tsx'
import { EmptyState } from '#app/ui/lists/empty-state.tsx'
import { Hash } from '#app/ui/text/hash.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'

type Props = {
  authorities: readonly AuthorityView[]
  /** Users who may decide get a link to the authority's page. */
  canManage: boolean
}

/** The authorities that verdicts trust, and those that were imported and are not trusted. */
export function AuthorityList({ authorities, canManage }: Props) {
  if (authorities.length === 0)
    return (
      <EmptyState>
        Ninguna. Sin una autoridad de confianza, ninguna verificación puede resultar favorable.
      </EmptyState>
    )
  return (
    <ul className={css.anchors}>
      {authorities.map((authority) => (
        <li key={authority.sha256}>
          <strong>
            {canManage && !authority.isBuiltIn ? (
              <PageLink to={`/dashboard/settings/authorities/${authority.sha256}`}>
                {authority.name}
              </PageLink>
            ) : (
              authority.name
            )}
          </strong>
          <div className={css.badges}>
            <Badge tone={authority.state.tone}>{authority.state.word}</Badge>
            {authority.forTesting && <Badge tone="wait">de prueba</Badge>}
          </div>
          <span>
            {[authority.role, authority.ends, authority.revocation].filter(Boolean).join(' · ')}
          </span>
          <Hash value={authority.sha256} />
        </li>
      ))}
    </ul>
  )
}
