import type { DocumentRow } from '#app/ui/document/document-table.tsx'
import { DocumentTable } from '#app/ui/document/document-table.tsx'
import { SignLink } from '#app/ui/document/sign-link.tsx'
import { EmptyState } from '#app/ui/lists/empty-state.tsx'
import { Section, Sections } from '#app/ui/lists/section.tsx'
import { Cell, Row, Table } from '#app/ui/lists/table.tsx'
import { ButtonLink } from '#app/ui/text/button-link.tsx'
import { Deadline } from '#app/ui/text/deadline.tsx'
import { Icon } from '#app/ui/text/icon.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import css from './list.module.css'
import type { TurnRow } from './list-rows.ts'

const PATH = '/dashboard/signing'

type Documents = { rows: DocumentRow[]; isMore: boolean }

type Props = {
  waiting: TurnRow[]
  isMore: boolean
  /** How many documents the user can sign now, at most as many as are counted. */
  ready: number
  readyCount: string
  drafts: Documents
  signed: Documents
  canSign: boolean
  canUpload: boolean
}

/** What waits for the user: documents of sessions first, then drafts without a session. */
export function MyTurn(props: Props) {
  const { waiting, isMore, ready, readyCount, drafts, signed, canSign, canUpload } = props
  return (
    <Sections>
      <Section
        title="Esperan su firma"
        aside={
          ready > 1 && (
            <ButtonLink to={`${PATH}/batch`} size="sm" leftSection={<Icon name="sign" />}>
              {`Firmar ${readyCount} documentos`}
            </ButtonLink>
          )
        }
      >
        {waiting.length === 0 && <EmptyState>Ninguna sesión espera su firma.</EmptyState>}
        {waiting.length > 0 && <WaitingTable rows={waiting} />}
        {isMore && (
          <p className={css.paging}>
            {`Se muestran los ${waiting.length} más antiguos; los demás aparecen al firmar estos.`}
          </p>
        )}
      </Section>
      <Section
        title="Borradores"
        aside={
          drafts.isMore && <PageLink to="/dashboard/documents?state=draft">Ver todos</PageLink>
        }
      >
        {drafts.rows.length > 0 ? (
          <DocumentTable caption="Documentos por firmar" rows={drafts.rows} canSign={canSign} />
        ) : (
          <EmptyState
            next={canUpload && <PageLink to="/dashboard/documents/new">Subir documento</PageLink>}
          >
            Ningún borrador espera firma.
          </EmptyState>
        )}
      </Section>
      {signed.rows.length > 0 && (
        <Section
          title="Firmados"
          aside={
            signed.isMore && <PageLink to="/dashboard/documents?state=signed">Ver todos</PageLink>
          }
        >
          <DocumentTable caption="Documentos firmados" rows={signed.rows} />
        </Section>
      )}
    </Sections>
  )
}

const WAITING_COLUMNS = [
  { name: 'Turno' },
  { name: 'Documento' },
  { name: 'Sesión' },
  { name: 'Fecha límite', isNumber: true },
  { name: 'Acción', isNumber: true },
]

function WaitingTable({ rows }: { rows: TurnRow[] }) {
  return (
    <Table caption="Documentos que esperan su firma" columns={WAITING_COLUMNS}>
      {rows.map((row) => (
        <Row key={`${row.session} ${row.id}`}>
          <Cell isWhole>{row.turn === 'now' ? 'Su turno' : 'Después de otros'}</Cell>
          <Cell isTitle>
            <PageLink to={`/dashboard/documents/${row.id}`}>{row.title}</PageLink>
          </Cell>
          <Cell>
            <PageLink to={`${PATH}/${row.session}`}>{row.sessionTitle}</PageLink>
          </Cell>
          <Cell isNumber isWhole label="Fecha límite">
            <Deadline deadline={row.deadline} />
          </Cell>
          <Cell isNumber>{row.turn === 'now' && <SignLink document={row} />}</Cell>
        </Row>
      ))}
    </Table>
  )
}
