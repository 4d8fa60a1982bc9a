import css from '#app/routes/settings/office.module.css'
import type { ProviderView } from '#app/routes/settings/provider-view.ts'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'

type Props = {
  kinds: readonly {
    kind: string
    providers: readonly Pick<ProviderView, 'id' | 'name' | 'url' | 'rank'>[]
  }[]
  /** Users who may change a provider get a link to its page. */
  canManage: boolean
}

/** The office's providers in the order of use. */
export function ProviderList({ kinds, canManage }: Props) {
  return kinds.map(({ kind, providers }) => (
    <Sheet key={kind} title={kind}>
      {providers.length === 0 ? (
        <p className={css.quiet}>Ninguno.</p>
      ) : (
        <ol className={css.anchors}>
          {providers.map(({ id, name, url, rank }) => (
            <li key={id}>
              <strong>
                {canManage ? (
                  <PageLink to={`/dashboard/settings/providers/${id}`}>{name}</PageLink>
                ) : (
                  name
                )}
              </strong>
              <span>{rank}</span>
              <span>{url}</span>
            </li>
          ))}
        </ol>
      )}
    </Sheet>
  ))
}
