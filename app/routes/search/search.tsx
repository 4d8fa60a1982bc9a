import { z } from 'zod'
import { EmptyState } from '#app/ui/lists/empty-state.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { SearchForm } from '#app/ui/lists/search-form.tsx'
import { Section } from '#app/ui/lists/section.tsx'
import type { Group } from '#app/ui/shell/found-group.ts'
import { PageLink } from '#app/ui/text/page-link.tsx'
import type { Route } from './+types/search'
import { foundBy } from './found.ts'
import css from './search.module.css'

/** The query parameter; an invalid one is ignored. */
const Query = z.object({ text: z.string().trim().max(200).catch('').default('') })

export const handle = { hydrate: true, label: 'Buscar' }

export const meta: Route.MetaFunction = () => [{ title: 'Buscar · Rúbrica' }]

export async function loader({ url, context }: Route.LoaderArgs) {
  const { text } = Query.parse(Object.fromEntries(url.searchParams))
  return { text, groups: await foundBy(context, text) }
}

export default function SearchPage({ loaderData: { text, groups } }: Route.ComponentProps) {
  return (
    <>
      <PageHead title="Buscar" />
      <SearchForm
        label="Buscar en la notaría"
        help="Documento, persona o página"
        text={text}
        isLive
      />
      <div className={css.groups}>
        {groups.every(({ isOffer }) => isOffer) && (
          <EmptyState>Nada coincide con la búsqueda.</EmptyState>
        )}
        {groups.map((group) => (
          <FoundGroup key={group.name} group={group} />
        ))}
      </div>
    </>
  )
}

function FoundGroup({ group: { name, entries, all } }: { group: Group }) {
  return (
    <Section title={name} aside={all && <PageLink to={all.to}>{all.name}</PageLink>}>
      <ul className={css.entries}>
        {entries.map(({ to, name, detail }) => (
          <li key={to + name}>
            <PageLink to={to} className={css.entry}>
              <span>{name}</span>
              {detail && <small>{detail}</small>}
            </PageLink>
          </li>
        ))}
      </ul>
    </Section>
  )
}
