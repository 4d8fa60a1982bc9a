import { z } from 'zod'
import { orErrorPage } from '#app/http/problems.ts'
import { documentRequest } from '#app/routes/documents/document-request.ts'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { address } from '#app/ui/text/address.ts'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { zoneName } from '#server/domain/time.ts'
import { CompareVersions, compareVersions } from '#server/features/documents/compare-versions.ts'
import { listVersions } from '#server/features/documents/list-versions.ts'
import { readOffice } from '#server/features/offices/read-office.ts'
import type { Route } from './+types/versions'
import { CompareForm } from './compare-form.tsx'
import { Comparison } from './comparison.tsx'
import { VersionTable } from './version-table.tsx'
import css from './versions.module.css'
import { comparisonView, versionsView } from './versions-view.ts'

/** The query parameters; without both versions nothing is compared. */
const Query = z.object({
  from: CompareVersions.shape.from.optional().catch(undefined),
  to: CompareVersions.shape.to.optional().catch(undefined),
  /** Places that are left out before the first, by whole pages of places. */
  behind: z.coerce.number().int().nonnegative().max(10_000).catch(0),
})

export const handle = { hydrate: true, label: 'Versiones' }

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `Versiones de ${loaderData?.folio ?? 'un documento'} · Rúbrica` },
]

export async function loader({ params, url, context }: Route.LoaderArgs) {
  const { system, actor, documentId } = await orErrorPage(documentRequest(params, context))
  const { from, to, behind } = Query.parse(Object.fromEntries(url.searchParams))
  const { document, versions } = await orErrorPage(listVersions(system, actor, { documentId }))
  const { timeZone } = await orErrorPage(readOffice(system, actor))
  return {
    path: `/dashboard/documents/${documentId}`,
    title: document.title,
    folio: document.folio,
    isPurged: document.purged !== null,
    versions: versionsView(versions, timeZone),
    zone: zoneName(timeZone),
    compared: await compared(),
  }

  async function compared() {
    if (from === undefined || to === undefined) return null
    const asked = { documentId, from, to }
    const comparison = await orErrorPage(compareVersions(system, actor, asked))
    return { from, to, ...comparisonView(comparison, behind) }
  }
}

export default function Versions({ loaderData }: Route.ComponentProps) {
  const { path, title, folio, isPurged, versions, zone, compared } = loaderData
  const [newest] = versions
  const at = (behind: number) =>
    address(`${path}/versions`, {
      ...{ from: String(compared?.from), to: String(compared?.to) },
      behind: behind > 0 ? String(behind) : undefined,
    })
  return (
    <>
      <PageHead
        title="Versiones"
        lead={
          <>
            Folio {folio} · <PageLink to={path}>Volver a {title}</PageLink>
          </>
        }
      />
      <div className={css.sheets}>
        {versions.length > 1 && !isPurged && newest && (
          <Sheet title="Comparar">
            <CompareForm
              versions={versions}
              from={compared?.from ?? newest.version - 1}
              to={compared?.to ?? newest.version}
            />
          </Sheet>
        )}
        {compared && <Comparison compared={compared} at={at} path={path} />}
        <VersionTable versions={versions} zone={zone} path={path} isPurged={isPurged} />
      </div>
    </>
  )
}
