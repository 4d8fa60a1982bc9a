import { DocumentBadge } from '#app/ui/document/document-badge.tsx'
import { EmptyState } from '#app/ui/lists/empty-state.tsx'
import { Paging } from '#app/ui/lists/paging.tsx'
import { Section } from '#app/ui/lists/section.tsx'
import { Cell, Row, Table } from '#app/ui/lists/table.tsx'
import { address } from '#app/ui/text/address.ts'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { Time } from '#app/ui/text/time.tsx'
import type { SignedWith } from '#server/features/certificates/read-certificate.ts'
import { documentKinds } from '#server/words/documents.ts'
import css from './certificate-sheets.module.css'

type Props = {
  /** Of the certificate's page. */
  path: string
  /** `day` is the day of the signature in the office's time zone. */
  rows: readonly (SignedWith & { day: string })[]
  next: string | undefined
  isLaterPage: boolean
}

const COLUMNS = [
  { name: 'Estado' },
  { name: 'Documento' },
  { name: 'Folio' },
  { name: 'Tipo' },
  { name: 'Firmado', isNumber: true },
]

/** The documents that were signed with a certificate, a row for each signature, newest first. */
export function SignedDocuments({ path, rows, next, isLaterPage }: Props) {
  return (
    <div className={css.signed}>
      <Section title="Documentos firmados con este certificado">
        {rows.length > 0 ? (
          <Table caption="Documentos firmados con este certificado" columns={COLUMNS}>
            {rows.map(({ id, document, signedAt, day }) => (
              <Row key={id}>
                <Cell isWhole>
                  <DocumentBadge state={document.state} />
                </Cell>
                <Cell isTitle>
                  <PageLink to={`/dashboard/documents/${document.id}`}>{document.title}</PageLink>
                </Cell>
                <Cell isWhole>{document.folio}</Cell>
                <Cell>{documentKinds[document.kind]}</Cell>
                <Cell label="Firmado" isNumber isWhole>
                  <Time at={signedAt}>{day}</Time>
                </Cell>
              </Row>
            ))}
          </Table>
        ) : (
          <EmptyState>Con este certificado no se ha firmado ningún documento aquí.</EmptyState>
        )}
        <Paging
          of="documentos firmados"
          newer={isLaterPage ? path : undefined}
          older={next && address(path, { behind: next })}
        />
      </Section>
    </div>
  )
}
