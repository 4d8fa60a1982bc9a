import { Cell, Row, Table } from '#app/ui/lists/table.tsx'
import { Hash } from '#app/ui/text/hash.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { Time } from '#app/ui/text/time.tsx'
import type { VersionView } from './versions-view.ts'

const columnsIn = (zone: string) => [
  { name: 'Versión' },
  { name: 'Hecha por' },
  { name: `Cuándo (${zone})` },
  { name: 'Páginas', isNumber: true },
  { name: 'Tamaño', isNumber: true },
  { name: 'SHA-256' },
]

/** All versions, newest first, each with its file unless it was purged. */
export function VersionTable({
  versions,
  zone,
  path,
  isPurged,
}: {
  versions: readonly VersionView[]
  zone: string
  path: string
  isPurged: boolean
}) {
  return (
    <Table caption="Versiones" columns={columnsIn(zone)}>
      {versions.map(({ version, name, author, made, pages, size, sha256 }) => (
        <Row key={version}>
          <Cell isTitle>
            {isPurged ? name : <PageLink to={`${path}/download/${version}`}>{name}</PageLink>}
          </Cell>
          <Cell label="Hecha por">{author}</Cell>
          <Cell label={`Cuándo (${zone})`} isWhole>
            <Time at={made.at}>{made.text}</Time>
          </Cell>
          <Cell label="Páginas" isNumber>
            {pages}
          </Cell>
          <Cell label="Tamaño" isNumber isWhole>
            {size}
          </Cell>
          <Cell label="SHA-256">
            <Hash value={sha256} />
          </Cell>
        </Row>
      ))}
    </Table>
  )
}
