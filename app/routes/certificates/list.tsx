import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { CertificateBadge } from '#app/ui/document/certificate-badge.tsx'
import { SearchCutShort } from '#app/ui/document/search-remarks.tsx'
import { Badge } from '#app/ui/feedback/badge.tsx'
import { Chips } from '#app/ui/lists/chips.tsx'
import { EmptyState } from '#app/ui/lists/empty-state.tsx'
import css from '#app/ui/lists/list-toolbar.module.css'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { Paging } from '#app/ui/lists/paging.tsx'
import { SearchForm } from '#app/ui/lists/search-form.tsx'
import { Cell, Row, Table } from '#app/ui/lists/table.tsx'
import { address } from '#app/ui/text/address.ts'
import { ButtonLink } from '#app/ui/text/button-link.tsx'
import { Hash } from '#app/ui/text/hash.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { Time } from '#app/ui/text/time.tsx'
import type { CertificateStanding } from '#server/domain/identity/held-certificate.ts'
import { formatDay } from '#server/domain/time.ts'
import {
  ListCertificates,
  listCertificates,
} from '#server/features/certificates/list-certificates.ts'
import { readOffice } from '#server/features/offices/read-office.ts'
import { certificateKinds } from '#server/words/certificates.ts'
import type { Route } from './+types/list'
import { CertificateTabs } from './tabs.tsx'

const PATH = '/dashboard/certificates'

/** The query parameters; an invalid one is ignored. */
const { text, standing, behind } = ListCertificates.shape
const Query = z.object({
  text: text.catch(undefined),
  standing: standing.catch(undefined),
  behind: behind.catch(undefined),
})

export const handle = { hydrate: true, label: 'Certificados' }

export const meta: Route.MetaFunction = () => [{ title: 'Certificados · Rúbrica' }]

export async function loader({ url, context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const query = Query.parse(Object.fromEntries(url.searchParams))
  const { timeZone } = await orErrorPage(readOffice(system, actor))
  const page = await orErrorPage(listCertificates(system, actor, query))
  return {
    ...{ next: page.next, wasCutShort: page.wasCutShort },
    asked: { text: query.text ?? '', standing: query.standing },
    isLaterPage: query.behind !== undefined,
    rows: page.certificates.map((held) => ({
      id: held.id,
      name: held.name,
      rfc: held.rfc === undefined ? 'Reservado' : (held.rfc ?? 'Sin RFC'),
      kind: held.kind,
      number: held.number,
      standing: held.standing,
      isTest: held.provenance === 'demo',
      notAfter: held.notAfter,
      ends: formatDay(held.notAfter, timeZone),
    })),
  }
}

const COLUMNS = [
  { name: 'Vigencia' },
  { name: 'Titular' },
  { name: 'RFC' },
  { name: 'Número de certificado' },
  { name: 'Tipo' },
  { name: 'Vence', isNumber: true },
]

export default function CertificateList({ loaderData }: Route.ComponentProps) {
  const { rows, next, asked, wasCutShort, isLaterPage } = loaderData
  const older = next && address(PATH, { ...asked, behind: next })
  return (
    <>
      <PageHead
        title="Certificados"
        lead={
          <>
            Solo la parte pública: las claves privadas nunca salen de quien las tiene.{' '}
            <PageLink to={`${PATH}/file`}>¿Qué es este archivo?</PageLink>
          </>
        }
        action={<ButtonLink to={`${PATH}/new`}>Registrar certificado</ButtonLink>}
      />
      <CertificateTabs current="Certificados" />
      <div className={css.toolbar}>
        <SearchForm
          label="Buscar certificados"
          help="Titular, RFC o número de certificado"
          text={asked.text}
          kept={{ standing: asked.standing }}
        />
        <Chips label="Vigencia" chips={standingChips(asked)} />
      </div>
      {rows.length > 0 ? (
        <Table caption="Certificados" columns={COLUMNS}>
          {rows.map((row) => (
            <Row key={row.id}>
              <Cell isWhole>
                <CertificateBadge standing={row.standing} />
              </Cell>
              <Cell isTitle>
                <PageLink to={`${PATH}/${row.id}`}>{row.name}</PageLink>{' '}
                {row.isTest && <Badge tone="wait">de prueba</Badge>}
              </Cell>
              <Cell label="RFC" isWhole>
                {row.rfc}
              </Cell>
              <Cell label="Número" isWhole>
                <Hash value={row.number} />
              </Cell>
              <Cell>{certificateKinds[row.kind]}</Cell>
              <Cell label="Vence" isNumber isWhole>
                <Time at={row.notAfter}>{row.ends}</Time>
              </Cell>
            </Row>
          ))}
        </Table>
      ) : (
        <EmptyState
          next={isAskedFor(asked) && <PageLink to={PATH}>Ver todos los certificados</PageLink>}
        >
          {emptyText(asked, wasCutShort)}
        </EmptyState>
      )}
      {wasCutShort && <SearchCutShort of="certificados" goOn="los siguientes" to={older} />}
      <Paging
        of="certificados"
        newer={isLaterPage ? address(PATH, asked) : undefined}
        older={older}
      />
    </>
  )
}

type Asked = { text: string; standing: CertificateStanding | undefined }

const isAskedFor = ({ text, standing }: Asked): boolean => text !== '' || standing !== undefined

function emptyText(asked: Asked, wasCutShort: boolean): string {
  if (wasCutShort) return 'Ninguno de los que se revisaron coincide.'
  return isAskedFor(asked)
    ? 'Ningún certificado coincide.'
    : 'Todavía no hay certificados. Cada uno se registra solo, cuando alguien firma con él por primera vez, o antes, si su titular lo registra.'
}

const CHIPS = [
  [undefined, 'Todos'],
  ['in-force', 'Vigentes'],
  ['expiring', 'Por vencer'],
  ['expired', 'Vencidos'],
  ['revoked', 'Revocados'],
] as const

const standingChips = (asked: Asked) =>
  CHIPS.map(([standing, name]) => ({
    to: address(PATH, { text: asked.text, standing }),
    name,
    isActive: asked.standing === standing,
  }))
