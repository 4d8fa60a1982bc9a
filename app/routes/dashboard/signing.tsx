import { actorContext, systemContext } from '#app/http/context.ts'
import { documentRow } from '#app/http/document-row.ts'
import { answering } from '#app/http/problems.ts'
import { WHO_SIGNS } from '#app/messages.ts'
import { DocumentTable } from '#app/ui/document-table.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { PageHead } from '#app/ui/page-head.tsx'
import { PageLink } from '#app/ui/page-link.tsx'
import { isAllowed, mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { listDocuments } from '#server/features/documents/list-documents.ts'
import { readOffice } from '#server/features/offices/read-office.ts'
import type { Route } from './+types/signing'
import css from './overview.module.css'

export const handle = { hydrate: true, label: 'Firmar' }

export const meta: Route.MetaFunction = () => [{ title: 'Firmar · Rúbrica' }]

export async function loader({ context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const { roles } = mustBeSignedIn(actor)
  const { timeZone } = await answering(readOffice(system, actor))
  const rowsIn = async (state: 'draft' | 'signing' | 'signed') => {
    const { documents, next } = await answering(listDocuments(system, actor, { state }))
    return { rows: documents.map((document) => documentRow(document, timeZone)), isMore: !!next }
  }
  return {
    begun: await rowsIn('signing'),
    drafts: await rowsIn('draft'),
    signed: await rowsIn('signed'),
    canSign: isAllowed(roles, 'document.sign'),
    canUpload: isAllowed(roles, 'document.upload'),
  }
}

export default function Signing({ loaderData }: Route.ComponentProps) {
  const { begun, drafts, signed, canSign, canUpload } = loaderData
  const waiting = [...begun.rows, ...drafts.rows]
  return (
    <>
      <PageHead
        title="Firmar"
        lead={canSign ? undefined : `${WHO_SIGNS} Usted puede consultar los documentos.`}
      />
      <div className={css.sections}>
        <section className={css.section}>
          <Head
            title="Esperan firma"
            to={drafts.isMore ? '/dashboard/documents?state=draft' : undefined}
          />
          {waiting.length > 0 ? (
            <DocumentTable caption="Documentos por firmar" rows={waiting} canSign={canSign} />
          ) : (
            <EmptyState
              next={canUpload && <PageLink to="/dashboard/documents/new">Subir documento</PageLink>}
            >
              Ningún documento espera firma.
            </EmptyState>
          )}
        </section>
        {signed.rows.length > 0 && (
          <section className={css.section}>
            <Head
              title="Firmados"
              to={signed.isMore ? '/dashboard/documents?state=signed' : undefined}
            />
            <DocumentTable caption="Documentos firmados" rows={signed.rows} />
          </section>
        )}
      </div>
    </>
  )
}

function Head({ title, to }: { title: string; to: string | undefined }) {
  return (
    <div className={css.head}>
      <h2>{title}</h2>
      {to && <PageLink to={to}>Ver todos</PageLink>}
    </div>
  )
}
