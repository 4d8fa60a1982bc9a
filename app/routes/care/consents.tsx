import { Form } from 'react-router'
import { actorContext, systemContext } from '#app/http/context.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { TextField } from '#app/ui/forms/text-field.tsx'
import { ActiveFilters } from '#app/ui/lists/active-filters.tsx'
import { Chips } from '#app/ui/lists/chips.tsx'
import { EmptyState } from '#app/ui/lists/empty-state.tsx'
import { KeptFields } from '#app/ui/lists/kept-fields.tsx'
import toolbar from '#app/ui/lists/list-toolbar.module.css'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { Paging } from '#app/ui/lists/paging.tsx'
import { Cell, Row, Table } from '#app/ui/lists/table.tsx'
import { address } from '#app/ui/text/address.ts'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { Time } from '#app/ui/text/time.tsx'
import { ConsentKind } from '#server/domain/care/consent.ts'
import { formatInstant } from '#server/domain/time.ts'
import { type ListedConsent, listConsents } from '#server/features/care/list-consents.ts'
import { consentKinds, consentKindsOfMany, noticeName } from '#server/words/care/consents.ts'
import type { Route } from './+types/consents'
import css from './care.module.css'
import { ConsentQuery } from './consent-query.ts'
import { CONSENTS_PATH as PATH } from './consents-path.ts'

export const handle = { hydrate: true, label: 'Consentimientos' }

export const meta: Route.MetaFunction = () => [{ title: 'Consentimientos · Rúbrica' }]

export async function loader({ url, context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const { behind, ...filters } = ConsentQuery.parse(Object.fromEntries(url.searchParams))
  const page = await orErrorPage(listConsents(system, actor, { behind, ...filters }))
  const { rfc: text, ...asked } = filters
  const { id: officeId, timeZone } = page.office
  return {
    rows: page.consents.map((consent) => rowOf(consent, officeId, timeZone)),
    next: page.next,
    asked: { ...asked, text, notice: asked.notice as string | undefined },
    kinds: ConsentKind.options.map((kind) => ({ kind, name: consentKindsOfMany[kind] })),
    isLaterPage: behind !== undefined,
  }
}

const rowOf = (consent: ListedConsent, officeId: string, timeZone: string) => ({
  id: consent.id as string,
  ...{ name: consent.name, rfc: consent.rfc as string },
  what: consentKinds[consent.kind],
  when: { at: consent.at, text: formatInstant(consent.at, timeZone) },
  about: aboutOf(consent, officeId),
})

/** The text that was accepted, or the document whose pages may be shown or whose findings were seen. */
function aboutOf({ notice, version, documentId, folio }: ListedConsent, officeId: string) {
  if (notice !== null)
    return { name: noticeName(version), to: address(`/privacy/${officeId}`, { text: notice }) }
  return documentId === null
    ? undefined
    : { name: folio ?? 'Documento', to: `/dashboard/documents/${documentId}` }
}

const COLUMNS = [
  { name: 'Persona' },
  { name: 'RFC' },
  { name: 'Consentimiento' },
  { name: 'Sobre' },
  { name: 'Cuándo' },
]

export default function ConsentList({ loaderData }: Route.ComponentProps) {
  const { rows, next, asked, kinds, isLaterPage } = loaderData
  const isFiltered = Object.values(asked).some((value) => value !== undefined)
  return (
    <>
      <PageHead
        title="Consentimientos"
        lead={
          <>
            Quién aceptó qué aviso de privacidad, quién consintió en mostrar páginas en la consulta
            pública, y quién vio los avisos de un archivo antes de firmarlo.{' '}
            <PageLink to={address(`${PATH}.csv`, asked)} reloadDocument>
              Exportar CSV
            </PageLink>
          </>
        }
      />
      <div className={toolbar.toolbar}>
        <Chips
          label="Consentimiento"
          chips={[
            {
              to: address(PATH, { ...asked, kind: undefined }),
              name: 'Todos',
              isActive: asked.kind === undefined,
            },
            ...kinds.map(({ kind, name }) => ({
              to: address(PATH, { ...asked, kind }),
              name,
              isActive: asked.kind === kind,
            })),
          ]}
        />
        <Form method="get" className={css.filter} key={JSON.stringify(asked)}>
          <KeptFields fields={{ kind: asked.kind, notice: asked.notice }} />
          <TextField name="text" label="RFC" defaultValue={asked.text ?? ''} autoComplete="off" />
          <TextField name="from" type="date" label="Desde" defaultValue={asked.from ?? ''} />
          <TextField name="to" type="date" label="Hasta" defaultValue={asked.to ?? ''} />
          <SubmitButton variant="default">Filtrar</SubmitButton>
        </Form>
        <ActiveFilters
          filters={
            asked.notice
              ? [
                  {
                    name: 'Un texto del aviso',
                    without: address(PATH, { ...asked, notice: undefined }),
                  },
                ]
              : []
          }
        />
      </div>
      {rows.length > 0 ? (
        <Table caption="Consentimientos" columns={COLUMNS}>
          {rows.map((row) => (
            <Row key={row.id}>
              <Cell isTitle>{row.name}</Cell>
              <Cell label="RFC" isWhole>
                {row.rfc}
              </Cell>
              <Cell label="Consentimiento">{row.what}</Cell>
              <Cell {...(row.about && { label: 'Sobre' })}>
                {row.about && <PageLink to={row.about.to}>{row.about.name}</PageLink>}
              </Cell>
              <Cell label="Cuándo">
                <Time at={row.when.at}>{row.when.text}</Time>
              </Cell>
            </Row>
          ))}
        </Table>
      ) : (
        <EmptyState next={isFiltered && <PageLink to={PATH}>Ver todos</PageLink>}>
          {isFiltered
            ? 'Ningún consentimiento coincide con los filtros.'
            : 'Todavía no hay consentimientos. El primero llega cuando un firmante externo acepta el aviso de privacidad, o alguien ve los avisos de un archivo antes de firmarlo.'}
        </EmptyState>
      )}
      <Paging
        of="consentimientos"
        newer={isLaterPage ? address(PATH, asked) : undefined}
        older={next && address(PATH, { ...asked, behind: next })}
      />
    </>
  )
}
