import { Paging } from '#app/ui/lists/paging.tsx'
import { Section } from '#app/ui/lists/section.tsx'
import { Cell, Row, Table } from '#app/ui/lists/table.tsx'
import { address } from '#app/ui/text/address.ts'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { Time } from '#app/ui/text/time.tsx'
import css from './key.module.css'
import type { KeyView } from './key-view.ts'

const COLUMNS = [
  { name: 'Qué' },
  { name: 'Detalle' },
  { name: 'Quién' },
  { name: 'Cuándo', isNumber: true },
]

type Props = { path: string; history: KeyView['history']; isLaterPage: boolean }

/** What happened to the key, newest first. */
export function KeyHistory({ path, history, isLaterPage }: Props) {
  return (
    <div className={css.history}>
      <Section title="Historial">
        <Table caption="Historial de la llave" columns={COLUMNS}>
          {history.changes.map(({ version, what, note, by, at, when, receipt }) => (
            <Row key={version}>
              <Cell isTitle>{what}</Cell>
              <Cell>
                {receipt ? (
                  <PageLink to={`${path}/receipts/${version}`}>Acuse de entrega</PageLink>
                ) : (
                  (note ?? '')
                )}
              </Cell>
              <Cell label="Por">{by}</Cell>
              <Cell label="Cuándo" isNumber isWhole>
                <Time at={at}>{when}</Time>
              </Cell>
            </Row>
          ))}
        </Table>
        <Paging
          of="cambios"
          newer={isLaterPage ? path : undefined}
          older={
            history.next === undefined ? undefined : address(path, { before: String(history.next) })
          }
        />
      </Section>
    </div>
  )
}
