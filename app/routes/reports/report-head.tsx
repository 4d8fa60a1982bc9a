import { PageHead } from '#app/ui/lists/page-head.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { REPORTS_PATH } from './reports-path.ts'

/** The header of a report, with the way back to all of them. */
export function ReportHead({ name, lead }: { name: string; lead: string }) {
  return (
    <PageHead
      title={name}
      lead={
        <>
          {lead} <PageLink to={REPORTS_PATH}>Todos los reportes</PageLink>
        </>
      }
    />
  )
}
